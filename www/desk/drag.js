/*
 * drag.js - something that can be picked up and put elsewhere: by a mouse at once, by a finger when
 * it has rested there, because a finger that moves on scrolls the page.
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

/* Calls drop({ dx, dy, under }) when it was put elsewhere, and settled() when it lies again.  It is
 * .held from the first touch on, and must not be drawn anew meanwhile, and .lifted when it moves. */
export function draggable(node, drop, settled) {
	let from = null; /* where the pointer went down */
	let dragged = false; /* it has moved: what follows is no tap */
	let timer = 0;
	const lift = () => node.classList.add('lifted');
	const lifted = () => node.classList.contains('lifted');
	const way = (event) => ({ dx: event.clientX - from.x, dy: event.clientY - from.y });

	function putBack() {
		clearTimeout(timer);
		from = null;
		node.style.removeProperty('transform');
		node.classList.remove('held', 'lifted');
		settled();
	}

	node.addEventListener('pointerdown', (event) => {
		if (event.button || !event.isPrimary) return;
		from = { x: event.clientX, y: event.clientY };
		dragged = false;
		node.classList.add('held');
		if (event.pointerType === 'touch') timer = setTimeout(lift, LIFT_MS);
		else {
			node.setPointerCapture(event.pointerId);
			lift();
		}
	});
	node.addEventListener('pointermove', (event) => {
		if (!from) return;
		const { dx, dy } = way(event);
		const far = Math.hypot(dx, dy) > DRAG_PX;
		if (far && !lifted()) return putBack(); /* a finger that scrolls */
		dragged ||= far;
		if (dragged) node.style.setProperty('transform', `translate(${dx}px, ${dy}px)`);
	});
	node.addEventListener('pointerup', (event) => {
		if (!from) return;
		const how = { ...way(event), under: whatIsUnder(node, event) };
		putBack();
		if (dragged) drop(how);
	});
	node.addEventListener('pointercancel', putBack);
	/* From here on the finger is ours: the page neither scrolls nor opens a menu. */
	const ours = (event) => lifted() && event.preventDefault();
	node.addEventListener('touchmove', ours, { passive: false });
	node.addEventListener('contextmenu', ours);
	node.addEventListener(
		'click',
		(event) => {
			if (dragged) event.stopImmediatePropagation();
			dragged = false;
		},
		true,
	);
}
