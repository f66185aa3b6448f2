/*
 * drag.js - picks a thing up and puts it elsewhere: by a mouse at once, by a finger when it has
 * rested there, because a finger that moves on scrolls the page.
 */

const DRAG_PX = 8; /* less is a tap */
const LIFT_MS = 300; /* a finger that rests this long picks the thing up */

/* What lies below the pointer when the thing itself is taken away. */
function whatIsUnder(node, { clientX, clientY }) {
	node.style.setProperty('pointer-events', 'none');
	const under = document.elementFromPoint(clientX, clientY);
	node.style.removeProperty('pointer-events');
	return under;
}

/**
 * While it moves move(how) shows it, drop(how) is called when it was put elsewhere, and settled()
 * when it lies again; how: { dx, dy, x, y, under }.  The thing is .held from the first touch on,
 * and must not be drawn anew meanwhile, and .lifted when it moves.  grip: the part of it that is
 * touched, else all of it.
 */
export function draggable(node, { move, drop, settled, grip = node }) {
	let from = null; /* where the pointer went down */
	let dragged = false; /* it has moved: what follows is no tap */
	let timer = 0;
	const lift = () => node.classList.add('lifted');
	const lifted = () => node.classList.contains('lifted');
	const way = (event) => ({
		dx: event.clientX - from.x,
		dy: event.clientY - from.y,
		x: event.clientX,
		y: event.clientY,
		under: dragged ? whatIsUnder(node, event) : null,
	});

	function putBack() {
		clearTimeout(timer);
		from = null;
		node.classList.remove('held', 'lifted');
		settled();
	}

	grip.addEventListener('pointerdown', (event) => {
		if (event.button || !event.isPrimary || node.classList.contains('held')) return;
		from = { x: event.clientX, y: event.clientY };
		dragged = false;
		node.classList.add('held');
		if (event.pointerType === 'touch') timer = setTimeout(lift, LIFT_MS);
		else {
			grip.setPointerCapture(event.pointerId);
			lift();
		}
	});
	grip.addEventListener('pointermove', (event) => {
		if (!from) return;
		const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > DRAG_PX;
		if (far && !lifted()) return putBack(); /* a finger that scrolls */
		dragged ||= far;
		if (dragged) move(way(event));
	});
	grip.addEventListener('pointerup', (event) => {
		if (!from) return;
		const how = way(event);
		putBack();
		if (dragged) drop(how);
	});
	grip.addEventListener('pointercancel', () => from && putBack());
	/* From here on the finger is ours: the page neither scrolls nor opens a menu. */
	const ours = (event) => from && lifted() && event.preventDefault();
	grip.addEventListener('touchmove', ours, { passive: false });
	grip.addEventListener('contextmenu', ours);
	node.addEventListener(
		'click',
		(event) => {
			if (dragged) event.stopImmediatePropagation();
			dragged = false;
		},
		true,
	);
}
