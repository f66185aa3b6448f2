-- demo.sql - a small Korean restaurant for a first look: forty seats, lunch and dinner, closed on
-- Mondays, ten dishes.
INSERT INTO restaurants (restaurant_id, name, name_en, phone, address, address_en, timezone, utc_offset_minutes,
                         reservation_limit, slot_minutes, party_max)
VALUES (1, '온기 식당', 'Ongi Table', '02-555-0142', '서울 종로구 계동길 42', '42 Gyedong-gil, Jongno-gu, Seoul',
        'Asia/Seoul', 540, 40, 60, 12);

INSERT INTO opening_hours (restaurant_id, weekday, opens, closes, label) VALUES
  (1, 2, '11:00', '15:00', 'lunch'), (1, 2, '17:00', '22:00', 'dinner'),
  (1, 3, '11:00', '15:00', 'lunch'), (1, 3, '17:00', '22:00', 'dinner'),
  (1, 4, '11:00', '15:00', 'lunch'), (1, 4, '17:00', '22:00', 'dinner'),
  (1, 5, '11:00', '15:00', 'lunch'), (1, 5, '17:00', '22:00', 'dinner'),
  (1, 6, '11:00', '16:00', 'lunch'), (1, 6, '17:00', '22:00', 'dinner'),
  (1, 7, '11:00', '16:00', 'lunch'), (1, 7, '17:00', '21:00', 'dinner');

INSERT INTO menus (menu_id, restaurant_id, name, name_en, description, description_en, price, position) VALUES
  (1,  1, '들깨 칼국수',   'Perilla noodle soup',      '들깨를 갈아 넣은 구수한 칼국수',
       'Noodles in a broth of ground perilla', 11000, 1),
  (2,  1, '돌솥 비빔밥',   'Hot stone bibimbap',       '다섯 가지 나물과 약고추장',
       'Five seasoned greens and chilli paste', 13000, 2),
  (3,  1, '된장찌개 정식', 'Soybean stew set',         '집된장 찌개와 반찬 여섯 가지',
       'House soybean stew with six side dishes', 12000, 3),
  (4,  1, '한우 불고기',   'Hanwoo bulgogi',           '간장과 배로 재운 한우 불고기',
       'Beef in soy sauce and pear', 28000, 4),
  (5,  1, '보쌈 한 접시',  'Boiled pork with kimchi',  '삶은 돼지고기와 갓 담근 김치',
       'Boiled pork belly with fresh kimchi', 32000, 5),
  (6,  1, '해물파전',      'Seafood pancake',          '오징어와 새우, 쪽파',
       'Squid, prawns and spring onions', 18000, 6),
  (7,  1, '갈비찜',        'Braised short ribs',       '네 시간 조린 소갈비찜',
       'Beef ribs braised for four hours', 39000, 7),
  (8,  1, '도토리묵 무침', 'Acorn jelly salad',        '상추와 오이, 간장 양념',
       'With lettuce, cucumber and soy dressing', 14000, 8),
  (9,  1, '온기 막걸리',   'House makgeolli',          '직접 빚은 쌀 막걸리 한 병',
       'A bottle of our own rice wine', 15000, 9),
  (10, 1, '식혜',          'Sweet rice drink',         '살얼음 식혜 한 잔',
       'A glass, half frozen', 4000, 10);
