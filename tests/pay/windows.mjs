export function page(world, req, res) { res.writeHead(404); res.end(); }
