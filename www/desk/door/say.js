/*
 * say.js - the words of the desk about the door list.
 */
import { makeSayings } from '../../pay/say.js';

export const { bring: sayings, say: d } = makeSayings((code) => import(`./words/${code}.js`));
