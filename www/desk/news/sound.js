/*
 * sound.js - two soft tones, made by the browser itself; off on this device where somebody said so.
 *
 * A browser lets a page sound only once somebody has pressed something on it, and complains of one
 * that tries before: so the sound is made ready by the first press, and until then it is silent.
 */
import { keep, recall } from '../../ui.js';

const TONES = [
	{ hz: 659, at: 0 },
	{ hz: 880, at: 0.16 },
];
const LOUD = 0.06;
const LENGTH_S = 0.5;

let audio = null;

export const isOn = () => recall('sound', true) !== false;

function makeReady() {
	if (!isOn() || audio || typeof AudioContext === 'undefined') return;
	audio = new AudioContext();
}
for (const press of ['pointerup', 'keydown']) addEventListener(press, makeReady);

function sound({ hz, at }) {
	const begin = audio.currentTime + at;
	const tone = audio.createOscillator();
	const gain = audio.createGain();
	tone.frequency.value = hz;
	gain.gain.setValueAtTime(0, begin);
	gain.gain.linearRampToValueAtTime(LOUD, begin + 0.02);
	gain.gain.exponentialRampToValueAtTime(0.0001, begin + LENGTH_S);
	tone.connect(gain).connect(audio.destination);
	tone.start(begin);
	tone.stop(begin + LENGTH_S);
}

/** Sounds, if it may.  True if it did. */
export function chime() {
	if (!isOn() || audio?.state !== 'running') return false;
	TONES.forEach(sound);
	return true;
}

export function turn(on) {
	keep('sound', on);
	if (on) makeReady();
}
