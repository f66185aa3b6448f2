/*
 * www.mjs - the pages' modules without a browser; check_pages has put the copy there.
 */
export const WWW = new URL('../../build/pages/www/', import.meta.url);
export const load = (path) => import(new URL(path, WWW));
