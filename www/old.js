/*
 * old.js - says so when the browser cannot run the page: it is too old, or a part did not come.
 *
 * A plain script for every browser there ever was, so nothing newer than ES5 here.  The page sets
 * data-begun when its modules have begun.
 */
(function () {
	'use strict';

	var OLD = [
		[
			'ko',
			'이 브라우저는 오래되어 이 페이지를 쓸 수 없습니다. ' +
				'업데이트하시거나 다른 브라우저로 열어 주세요. ' +
				'(Safari 15.4, Chrome 98, Firefox 98 이상)'
		],
		[
			'en',
			'This browser is too old for this page. Please update it, or open the page in ' +
				'another one (Safari 15.4, Chrome 98, Firefox 98 or later).'
		]
	];
	var PART = [
		['ko', '페이지를 끝까지 불러오지 못했습니다. 연결을 확인하고 새로고침해 주세요.'],
		['en', 'The page did not arrive completely. Please check the connection and reload it.']
	];
	var lost = false;

	function say(sentences) {
		var box = document.createElement('div');
		box.className = 'wrap';
		box.setAttribute('role', 'alert');
		for (var i = 0; i < sentences.length; i++) {
			var p = document.createElement('p');
			p.className = 'notice';
			p.lang = sentences[i][0];
			p.appendChild(document.createTextNode(sentences[i][1]));
			box.appendChild(p);
		}
		document.body.insertBefore(box, document.getElementById('view'));
	}

	/* What no screen can do without: windows that ask, and leaving the line. */
	function able() {
		return (
			'noModule' in document.createElement('script') &&
			[].at &&
			window.HTMLDialogElement &&
			HTMLDialogElement.prototype.showModal &&
			window.AbortSignal &&
			'reason' in AbortSignal.prototype
		);
	}

	/* A script that does not come fires at its element; one that cannot be understood does not. */
	window.addEventListener(
		'error',
		function (event) {
			if (event.target && event.target.tagName === 'SCRIPT') lost = true;
		},
		true
	);
	/* A part that a script asked for by itself. */
	document.addEventListener('lost', function () {
		say(PART);
	});
	window.addEventListener('load', function () {
		if (!able()) say(OLD);
		else if (!document.documentElement.getAttribute('data-begun')) say(lost ? PART : OLD);
	});
})();
