/*
 * doctor_words.h - what the doctor can say: a row for each finding.
 *
 * Its word, what it is about, how bad it is, and a sentence in Korean and English that says what to do.  {a} and {b} are filled
 * in.  BAD: a guest or a booking may be lost by it.  SOON: it will be, some day.
 */
#ifndef JARI_DOCTOR_WORDS_H
#define JARI_DOCTOR_WORDS_H

/* clang-format off */
#define DOCTOR_LIST(X) \
	X(SERVED,          "serving", WELL, "예약을 받고 있습니다.", "Guests are served.") \
	X(NOT_SERVED,      "serving", BAD,  "jari가 실행되고 있지 않아 아무도 예약할 수 없습니다. `sudo systemctl start jari`로 시작해 주세요.", "No jari serves this book, so nobody can book: `sudo systemctl start jari`, or `jari up`.") \
	X(BOOK_SHUT,       "serving", BAD,  "예약 장부를 열 수 없습니다: {a}", "The book cannot be opened: {a}") \
	X(LINE_WELL,       "line",    WELL, "예약을 저장할 수 있고, 줄이 움직이고 있습니다.", "Bookings can be saved, and the line moves.") \
	X(LINE_SICK,       "line",    BAD,  "예약을 저장할 수 없습니다: {a}", "Bookings cannot be saved: {a}") \
	X(CLOCK_WELL,      "clock",   WELL, "시계가 맞습니다.", "The clock is right.") \
	X(CLOCK_DOUBTED,   "clock",   BAD,  "시계가 장부의 마지막 기록보다 {a}일 앞서 있습니다. 날짜를 확인하고, 틀렸으면 `sudo timedatectl set-time`으로 맞춰 주세요.", "The clock is {a} days past the newest entry of the book. Look at the date; if it is wrong, set it: `sudo timedatectl set-time \"2026-11-19 12:00\"`.") \
	X(CLOCK_SET,       "clock",   SOON, "시계가 조금 전에 {a}초만큼 바뀌었습니다. 지금 시각이 맞는지 확인해 주세요.", "The clock was set by {a} seconds a few minutes ago. Is it right now?") \
	X(CLOCK_ALONE,     "clock",   SOON, "시계를 인터넷으로 맞추고 있지 않습니다. 하루에 몇 초씩 틀려질 수 있으니 `sudo apt-get install systemd-timesyncd`를 설치해 주세요.", "No time server sets the clock, so it drifts by seconds a day: `sudo apt-get install systemd-timesyncd`, and let the box reach the internet.") \
	X(DISK_WELL,       "disk",    WELL, "디스크에 {a} GB가 남아 있습니다.", "{a} GB are free on the disk of the book.") \
	X(DISK_READ_ONLY,  "disk",    BAD,  "디스크가 읽기 전용이라 아무것도 저장할 수 없습니다. SD 카드라면 수명이 다한 것일 수 있습니다. `jari backup`으로 다른 디스크에 장부를 옮겨 두고 새 카드로 바꿔 주세요.", "The disk of the book is read-only, so nothing can be saved. An SD card does that near its end: `jari backup` to another disk, then a new card.") \
	X(DISK_FULL,       "disk",    BAD,  "디스크에 {a} MB만 남아 있습니다. 필요 없는 파일을 지워 주세요.", "Only {a} MB are free on the disk of the book. Remove what is not needed: `sudo du -xh / | sort -h | tail`, `sudo journalctl --vacuum-size=100M`.") \
	X(DISK_LOW,        "disk",    SOON, "디스크에 {a} MB만 남아 있습니다. 업데이트할 때에는 장부의 세 배만큼 공간이 필요합니다.", "{a} MB are free on the disk of the book. An update needs room for the book three times over.") \
	X(DISK_FORGETS,    "disk",    BAD,  "장부가 메모리({a})에 있어 전원이 꺼지면 사라집니다. 디스크에 있는 폴더로 옮겨 주세요.", "The book is in memory ({a}) and is gone when the box is switched off: move it to a folder on a disk.") \
	X(FLUSH_WELL,      "disk",    WELL, "디스크에 쓰고 확인하는 데 {a} ms 걸립니다.", "A flush to the disk takes {a} ms.") \
	X(FLUSH_QUICK,     "disk",    SOON, "디스크에 쓰고 확인하는 데 {a} ms밖에 걸리지 않습니다. 실제로 쓰지 않았는데 썼다고 하는 디스크일 수 있으니 `jari disk-test`로 확인해 주세요.", "A flush to the disk takes only {a} ms. Some disks say so before they have written; `jari disk-test` finds out.") \
	X(FLUSH_SLOW,      "disk",    SOON, "디스크에 쓰고 확인하는 데 {a} ms나 걸려 예약이 몰리면 손님이 기다리게 됩니다. SSD로 바꾸는 것이 좋습니다.", "A flush to the disk takes {a} ms, so guests wait in a rush. An SSD is better than this card.") \
	X(FILES_WELL,      "files",   WELL, "장부와 열쇠는 jari만 읽고 쓸 수 있습니다.", "Only jari can read book and key.") \
	X(FILES_OPEN,      "files",   BAD,  "이 기기의 모든 사용자가 {a} 파일을 읽을 수 있습니다. `sudo chmod o= {b}`로 막아 주세요.", "Every user of this box can read {a}: `sudo chmod o= {b}`.") \
	X(FILES_FOREIGN,   "files",   BAD,  "{a} 파일의 주인이 폴더의 주인과 달라 jari가 쓸 수 없습니다. `sudo chown --reference={b} {a}`로 고쳐 주세요.", "{a} belongs to another user than its folder, so jari cannot write it: `sudo chown --reference={b} {a}`.") \
	X(BACKUP_WELL,     "backup",  WELL, "마지막 백업: {a} 전.", "The last backup was made {a} ago.") \
	X(BACKUP_NONE,     "backup",  BAD,  "백업이 한 번도 만들어지지 않았습니다. `sudo systemctl enable --now jari-backup.timer`를 실행하거나 `jari backup 폴더`로 직접 만들어 주세요.", "There is no backup yet: `sudo systemctl enable --now jari-backup.timer` makes one every night, `jari backup FOLDER` makes one now.") \
	X(BACKUP_NEW,      "backup",  SOON, "아직 백업이 없습니다. 첫 백업은 오늘 밤에 만들어집니다.", "There is no backup yet; the first one is due tonight.") \
	X(BACKUP_OLD,      "backup",  BAD,  "마지막 백업이 {a} 전에 만들어졌습니다. `systemctl status jari-backup.timer`로 이유를 확인해 주세요.", "The last backup was made {a} ago. `systemctl status jari-backup.timer jari-backup` says why there is none since.") \
	X(BACKUP_FAILED,   "backup",  BAD,  "{a} 전의 백업이 실패했습니다: {b}", "The backup {a} ago failed: {b}") \
	X(AWAY_WELL,       "copy",    WELL, "다른 곳에 둔 마지막 사본: {a} 전.", "The last copy outside of this box is {a} old.") \
	X(AWAY_NONE,       "copy",    SOON, "이 기기 밖에 있는 사본이 없습니다. 도난, 화재, 디스크 고장에 대비해 /etc/jari/copy-away를 만들어 주세요. 예제는 /usr/share/doc/jari/examples에 있습니다.", "There is no copy outside of this box: theft, fire or a dead disk takes everything. Put a command copy-away into /etc/jari; /usr/share/doc/jari/examples has four.") \
	X(AWAY_OLD,        "copy",    BAD,  "다른 곳에 둔 마지막 사본이 {a} 전의 것입니다. USB나 연결을 확인해 주세요.", "The last copy outside of this box is {a} old. Is the stick in its place, is the network up?") \
	X(AWAY_FAILED,     "copy",    BAD,  "{a} 전에 사본을 밖으로 보내지 못했습니다: {b}", "Sending a copy out of this box failed {a} ago: {b}") \
	X(DRILL_WELL,      "drill",   WELL, "{a} 전에 백업을 실제로 복원해 확인했습니다.", "A backup was restored and compared {a} ago.") \
	X(DRILL_NONE,      "drill",   SOON, "최근에 백업을 복원해 본 적이 없습니다. `sudo jari drill`로 확인해 주세요.", "No backup was tried out lately: `sudo jari drill` restores one aside and compares it.") \
	X(DRILL_FAILED,    "drill",   BAD,  "{a} 전에 백업을 복원해 보았지만 실패했습니다: {b}", "The backup that was tried out {a} ago cannot be used: {b}") \
	X(SPARE_WELL,      "spare",   WELL, "예비 기기에 {a} 전까지의 내용이 모두 있습니다.", "The spare box has everything up to {a} ago.") \
	X(SPARE_FAILED,    "spare",   BAD,  "예비 기기가 {a} 전부터 사본을 받지 못하고 있습니다: {b}", "The spare box has got nothing since {a} ago: {b}") \
	X(SPARE_OLD,       "spare",   BAD,  "예비 기기가 {a} 전부터 사본을 받지 못하고 있습니다. `systemctl status jari-mirror`로 이유를 확인해 주세요.", "The spare box has got nothing since {a} ago. `systemctl status jari-mirror` says why.") \
	X(BOX_REPLACED,    "spare",   BAD,  "{a} 전에 예비 기기가 이 기기를 대신하기 시작해 여기서는 예약을 받지 않습니다. `jari status`가 이 기기에만 있는 예약을 보여 줍니다.", "A spare took over from this box {a} ago, so it serves nobody. `jari status` lists the bookings that only this box has.") \
	X(LOST_SEEN,       "spare",   SOON, "기기를 바꾸거나 백업을 되돌릴 때 사라진 예약의 링크를 연 손님이 있습니다(예약 {a}, {b} 전). 그 손님은 전화해 달라는 안내를 받았습니다. 자리가 있는지 확인해 주세요.", "Guests opened links of reservations that the takeover or restore lost (number {a}, the last {b} ago). They read that they should call: have a table ready.") \
	X(TLS_WELL,        "tls",     WELL, "인증서는 {a}일 동안 유효합니다.", "The certificate is valid for {a} more days.") \
	X(TLS_NONE,        "tls",     WELL, "인증서가 없는 사이트입니다. 가게 안에서만 쓸 때 알맞습니다. 인터넷에서 쓰려면 `sudo jari setup tls`를 실행해 주세요.", "There is no certificate here, which is right inside the house only. On the internet: `sudo jari setup tls`.") \
	X(TLS_SOON,        "tls",     SOON, "인증서가 {a}일 뒤에 만료됩니다. 지금쯤 갱신되어 있어야 합니다: `sudo certbot renew`", "The certificate ends in {a} days and should have been renewed by now: `sudo certbot renew` says why it was not.") \
	X(TLS_OVER,        "tls",     BAD,  "인증서가 만료되었거나 곧 만료됩니다({a}일). 손님의 브라우저가 접속을 막습니다: `sudo certbot renew`", "The certificate ends in {a} days; then browsers turn guests away: `sudo certbot renew`.") \
	X(NGINX_WELL,      "nginx",   WELL, "nginx가 손님을 충분히 받을 수 있습니다.", "nginx has room for a rush.") \
	X(NGINX_SMALL,     "nginx",   SOON, "nginx가 동시에 {a}개의 연결만 받습니다. 손님 한 명이 두 개를 쓰니 `sudo jari setup nginx --name 도메인`으로 늘려 주세요.", "nginx has room for {a} connections, and a guest takes two: `sudo jari setup nginx --name YOUR.DOMAIN` makes it 10240.") \
	X(TUNNEL_WELL,     "tunnel",  WELL, "터널이 전용 소켓으로 연결되어 있습니다.", "The tunnel comes in through a socket of its own.") \
	X(TUNNEL_LOCAL,    "tunnel",  BAD,  "이 기기에서 {a}이(가) 실행 중이지만 전용 소켓이 없어 모든 손님이 같은 주소로 보입니다. docs/doors.md를 확인해 주세요.", "{a} runs here, and the site has no socket for it, so all its guests share one limit: docs/doors.md says which three lines it takes.") \
	X(COURIER_WELL,    "courier", WELL, "메시지를 보내는 프로그램이 실행되고 있습니다.", "The courier is at work.") \
	X(COURIER_GONE,    "courier", BAD,  "메시지를 보내는 프로그램이 실행되고 있지 않습니다: `sudo systemctl start jari-courier`", "There is no courier, so no message leaves the box: `sudo systemctl start jari-courier`.") \
	X(CASHIER_WELL,    "cashier", WELL, "온라인 결제를 처리하는 프로그램이 실행되고 있습니다.", "The cashier is at work.") \
	X(CASHIER_GONE,    "cashier", BAD,  "온라인 결제를 처리하는 프로그램이 실행되고 있지 않습니다: `sudo systemctl start jari-cashier`", "There is no cashier, so nobody can pay online: `sudo systemctl start jari-cashier`.") \
	X(REFUNDS_FAILED,  "refunds", SOON, "결제 회사가 받아 주지 않는 환불이 {a}건 있습니다. 데스크의 결제 목록에서 이유를 확인하고 처리해 주세요.", "{a} refunds are not taken by the payment company: the list of payments at the desk says why, and what can be done.") \
	X(MAIL_WELL,       "mail",    WELL, "메시지가 잘 나가고 있습니다.", "Messages go out.") \
	X(MAIL_OFF,        "mail",    SOON, "메일 서버가 설정되어 있지 않아 예약 확인 메일이 나가지 않습니다. 데스크의 설정, 메일에서 입력해 주세요.", "No mail server is set up, so no confirmation leaves the box: Settings, Mail, at the desk.") \
	X(MAIL_FAILED,     "mail",    SOON, "지난 한 주 동안 보내지 못한 메시지가 {a}건 있습니다. 데스크의 설정, 메시지에서 이유를 확인해 주세요.", "{a} messages could not be sent in the last week: Settings, Messages, at the desk says why.")
/* clang-format on */

#endif
