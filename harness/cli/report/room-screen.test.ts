import { describe, expect, test } from 'vitest';
import { plain } from '../colours.ts';
import type { Row } from './room.ts';
import { roomPage } from './room-page.ts';
import { roomLines, rowLine } from './room-screen.ts';
import { cellsOf, fitted, shownText } from './text.ts';

const row = (changes: Partial<Row> = {}): Row => ({
  number: 1,
  name: 'ada',
  kata: '23-replicaset',
  place: 'Level 3',
  laws: { hold: 0, all: 15 },
  done: 2,
  minutes: 12,
  isStuckLongest: false,
  ...changes,
});
const many = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => row({ name: `participant-${index}`, minutes: index }));
const size = { columns: 100, lines: 30, paint: plain };

describe('The screen of a room', () => {
  test('shows one row for each participant', () => {
    expect(
      roomLines(
        '2 participants',
        [row(), row({ name: 'bob', place: 'the laws', laws: { hold: 9, all: 15 }, isStuckLongest: true })],
        size,
      ),
    ).toEqual([
      '2 participants',
      '  name                     kata               place                     laws  min',
      '  ada                      23-replicaset      Level 3                   0/15   12',
      '▶ bob                      23-replicaset      the laws                  9/15   12',
    ]);
  });

  test('waits for the first participant', () => {
    expect(roomLines('0 participants', [], size)).toEqual(['0 participants', 'Nobody has reported yet.']);
  });

  test('shows thirty participants on 30 lines of 100 columns', () => {
    const lines = roomLines('30 participants', many(30), size);
    expect(lines.length).toBeLessThan(30);
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(100);
    const shown = lines.join('\n');
    // Columns are cut, but the minutes are whole.
    for (let index = 0; index < 30; index++) expect(shown).toMatch(new RegExp(` ${index}(?:\\s|$)`, 'm'));
    expect(lines[2]).toBe(
      '  participan… 23-replicas… Level 3      0/15    0    participan… 23-replicas… Level 3      0/15   15',
    );
  });

  test('shows the longest waits if the screen is too small', () => {
    const lines = roomLines('80 participants', many(80), size);
    expect(lines.length).toBeLessThan(30);
    expect(lines.at(-1)).toBe('… and 28 more, who have waited less');
    expect(lines[2]).toMatch(/ 79 .* 53$/);
  });

  test('prints a row as a line where no terminal is', () => {
    expect(rowLine(row())).toBe('ada  23-replicaset  Level 3  0/15 laws  12 min');
    expect(rowLine(row({ kata: '', place: 'not started', laws: { hold: 0, all: 0 } }))).toBe(
      'ada  not started  12 min',
    );
  });
});

describe('A text from another machine', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['a\u0000b\u0007c\u009bd\u007f', 'abcd'],
    ['a\nb\r\tc', 'a b c'],
    ['left\u202eright\u2066\u200b', 'leftright'],
    ['\ud800x', 'x'],
    ['  é  ', 'é'],
    ['abcdefghijklmnop', 'abcdefghij'],
  ])('%j shows as %j', (text, shown) => expect(shownText(text, 10)).toBe(shown));

  test('takes two columns for each wide character', () => {
    expect(cellsOf('日本')).toBe(4);
    expect(fitted('日本語', 5)).toBe('日本…');
    expect(fitted('e\u0301', 3)).toBe('e\u0301  ');
  });
});

describe('The page of a room', () => {
  test('has each row, refreshes itself, and escapes HTML', () => {
    const page = roomPage('1 participant', [
      row({ name: '<script>alert("1")</script>', isStuckLongest: true }),
    ]);
    expect(page).toContain('<meta http-equiv="refresh" content="5">');
    expect(page).toContain(
      '<tr class="longest"><td>▶</td><td>&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;</td><td>23-replicaset</td><td>Level 3</td>',
    );
    expect(page).not.toContain('<script');
  });
});
