import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../sim/random.ts';
import { kataReport, lawsReport, reportWith } from './report.fixture.ts';
import type { KataReport } from './report.ts';
import { Room } from './room.ts';
import { answer } from './room-server.ts';

const MINUTE_MS = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describe('A room', () => {
  const ada = { id: 'ada-12345', name: 'ada' };

  test('shows the kata that was touched last and is not done', () => {
    const room = new Room();
    const katas = [
      kataReport({ id: '21-informer', state: 'done', touchedAt: iso(3_000), laws: [lawsReport(13, 0)] }),
      kataReport({ id: '22-workqueue', place: 'Level 2', touchedAt: iso(1_000) }),
      kataReport({
        id: '23-replicaset',
        state: 'failing',
        place: 'the laws',
        touchedAt: iso(2_000),
        laws: [lawsReport(9, 6)],
      }),
      kataReport({ id: '24-deployment', state: 'not begun' }),
    ];
    room.receive(ada, reportWith(katas), 0);
    expect(room.rowsAt(0)).toMatchObject([
      { name: 'ada', kata: '23-replicaset', place: 'the laws', laws: { hold: 9, all: 15 }, done: 1 },
    ]);
  });

  test('shows a participant before the start, and another after the end', () => {
    const room = new Room();
    room.receive(ada, reportWith([kataReport({ state: 'not begun' })]), 0);
    room.receive({ id: 'bob-12345', name: 'bob' }, reportWith([kataReport({ state: 'done' })]), 0);
    expect(
      room.rowsAt(9 * MINUTE_MS).map(({ kata, place, isStuckLongest }) => ({ kata, place, isStuckLongest })),
    ).toEqual([
      { kata: '', place: 'not started', isStuckLongest: false },
      { kata: '23-replicaset', place: 'done', isStuckLongest: false },
    ]);
  });

  test('gives a participant without a name an alias, which stays', () => {
    const room = new Room();
    for (const nowMs of [0, 1_000]) room.receive({ id: 'some-random-id' }, reportWith([]), nowMs);
    room.receive({ id: 'another-random-id', name: ' \u001b\u200b ' }, reportWith([]), 0);
    const names = room.rowsAt(0).map(({ name }) => name);
    expect(names).toEqual([expect.stringMatching(/^[a-z]+-\d\d$/), expect.stringMatching(/^[a-z]+-\d\d$/)]);
    expect(names[0]).not.toBe(names[1]);
  });

  test('counts minutes from the last change of the state, by the clock of the sender', () => {
    const room = new Room();
    // The sender's clock is a day ahead.
    const at = 24 * 60 * MINUTE_MS;
    room.receive(ada, reportWith([kataReport({ changedAt: iso(at - 7 * MINUTE_MS) })], at), 0);
    expect(room.rowsAt(5 * MINUTE_MS)).toMatchObject([{ minutes: 12, isStuckLongest: true }]);
  });

  test('counts a move to another kata as a change', () => {
    const room = new Room();
    room.receive(ada, reportWith([kataReport({ changedAt: iso(0) })], 5 * MINUTE_MS), 5 * MINUTE_MS);
    const moved = kataReport({ id: '24-deployment', changedAt: iso(0), touchedAt: iso(9 * MINUTE_MS) });
    const katas = [kataReport({ changedAt: iso(0) }), moved];
    for (const minute of [9, 11])
      room.receive(ada, reportWith(katas, minute * MINUTE_MS), minute * MINUTE_MS);
    expect(room.rowsAt(12 * MINUTE_MS)).toMatchObject([{ kata: '24-deployment', minutes: 3 }]);
  });

  test('counts from the arrival before the first run', () => {
    const room = new Room();
    for (const minute of [1, 4]) room.receive(ada, reportWith([kataReport()]), minute * MINUTE_MS);
    expect(room.rowsAt(6 * MINUTE_MS)).toMatchObject([{ minutes: 5 }]);
  });

  test('takes no more than 500 participants, and still the reports of those', () => {
    const room = new Room();
    for (let n = 0; n < 500; n++) expect(room.receive({ id: `id-${n}` }, reportWith([]), 0)).toBe(true);
    expect(room.receive({ id: 'late' }, reportWith([]), 0)).toBeUndefined();
    expect(room.receive({ id: 'id-7' }, reportWith([kataReport()]), 0)).toBe(true);
    expect(room.rowsAt(0)).toHaveLength(500);
  });
});

/** A simulated participant: the truth that a room has to show. */
interface Simulated {
  readonly id: string;
  readonly name: string;
  /** The difference between the clocks of the participant and of the room, in ms. */
  readonly skewMs: number;
  kata: KataReport;
  changedMs: number;
  /** The last state that has arrived. */
  arrived: { readonly kata: KataReport; readonly changedMs: number; readonly lateMs: number } | undefined;
}

/** Something that happens in the simulation, at a virtual time. */
interface Event {
  readonly atMs: number;
  readonly run: () => void;
}

describe('Thirty participants for ten minutes', () => {
  test.each([1, 2])('appear as they are at every sample (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const room = new Room();
    let nowMs = 0;
    let accepted = 0;
    let sent = 0;
    const host = { room, nowMs: () => nowMs, title: () => '', onChange: () => {} };
    const events: Event[] = [];
    const people = Array.from(
      { length: 30 },
      (_, index): Simulated => ({
        id: `participant-${index}`,
        name: `p${String(index).padStart(2, '0')}`,
        skewMs: (random.int(121) - 60) * MINUTE_MS,
        kata: kataReport({ laws: [lawsReport(0, 0, 15)] }),
        changedMs: 0,
        arrived: undefined,
      }),
    );
    /** Sends the state of a participant. It arrives up to three seconds later. */
    const post = (one: Simulated): void => {
      const { id, name, skewMs, kata, changedMs } = one;
      const sentMs = nowMs;
      sent += 1;
      const report = reportWith([{ ...kata, changedAt: iso(changedMs + skewMs) }], sentMs + skewMs);
      const body = JSON.stringify({ participant: { id, name }, report });
      const lateMs = random.int(3_000);
      const arrive = (): void => {
        const request = { method: 'POST', path: '/reports', contentType: 'application/json', body };
        if (answer(request, host).status === 204) accepted += 1;
        one.arrived = { kata, changedMs, lateMs };
      };
      events.push({ atMs: sentMs + lateMs, run: arrive });
    };
    for (const one of people) {
      // The next step begins after the last report has arrived, as a participant waits for the answer.
      for (let atMs = random.int(20_000); atMs < 10 * MINUTE_MS; atMs += 3_000 + random.int(90_000)) {
        events.push({
          atMs,
          run: () => {
            // Some runs change nothing.
            if (random.int(3) > 0) {
              one.kata = nextState(one.kata, random.int(16));
              one.changedMs = nowMs;
            }
            post(one);
          },
        });
      }
    }
    for (let atMs = 0; atMs <= 10 * MINUTE_MS + 3_000; atMs += 5_000) {
      events.push({
        atMs,
        run: () => {
          const known = people.flatMap(({ name, arrived }) => (arrived ? [{ name, ...arrived }] : []));
          // A report that is under way for a moment makes its age a moment younger.
          const aged = known.map((each) => ({ ...each, ageMs: nowMs - each.changedMs - each.lateMs }));
          const atWork = aged.filter(({ kata }) => kata.state !== 'done');
          const longestMs = Math.max(...atWork.map(({ ageMs }) => ageMs));
          expect(room.rowsAt(nowMs)).toEqual(
            aged.map(({ name, kata, ageMs }) => ({
              number: expect.any(Number),
              name,
              kata: '23-replicaset',
              place: kata.state === 'done' ? 'done' : kata.place,
              laws: { hold: kata.laws[0]?.passed, all: 15 },
              done: kata.state === 'done' ? 1 : 0,
              minutes: Math.floor(ageMs / MINUTE_MS),
              isStuckLongest: kata.state !== 'done' && ageMs === longestMs && ageMs >= MINUTE_MS,
            })),
          );
        },
      });
    }
    while (events.length > 0) {
      const next = events.reduce((first, each) => (each.atMs < first.atMs ? each : first));
      events.splice(events.indexOf(next), 1);
      nowMs = next.atMs;
      next.run();
    }
    expect(sent).toBeGreaterThan(200);
    expect(accepted).toBe(sent);
    for (const [index, row] of room.rowsAt(nowMs).entries())
      expect(row.laws.hold).toBe(people[index]?.kata.laws[0]?.passed);
  });
});

/** Returns the state after a run: a further level, a number of laws, or a finished kata. */
function nextState(kata: KataReport, hold: number): KataReport {
  const level = Number(/\d+/.exec(kata.place ?? '')?.[0] ?? 9);
  if (level < 5) return { ...kata, place: `Level ${level + 1}` };
  if (hold === 15) return { ...kata, state: 'done', laws: [lawsReport(15, 0)] };
  return { ...kata, state: 'failing', place: 'the laws', laws: [lawsReport(hold, 15 - hold)] };
}
