/*
 * say.js - the words of the desk about payments online.
 */
import { makeSayings } from '../../pay/say.js';

export const { bring: sayings, say: p } = makeSayings((code) => import(`./words/${code}.js`));
