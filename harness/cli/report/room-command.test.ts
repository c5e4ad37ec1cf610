import { describe, expect, test } from 'vitest';
import { plain } from '../colours.ts';
import { exitCodeOf } from '../failure.ts';
import { Screen } from '../screen.fixture.ts';
import { kataReport, reportWith } from './report.fixture.ts';
import { runRoom } from './room-command.ts';

/** A leader's screen with a room on a free port. */
class Leader {
  readonly printed: string[] = [];
  readonly complaints = new Screen();
  /** Undefined for a file or a pipe. */
  terminal: { readonly columns: number; readonly lines: number } | undefined;
  nowMs = 0;

  /** Runs the room, with one of the steps at each wait. It ends after the last. */
  run(port: number, ...steps: readonly (() => Promise<void> | void)[]): Promise<number> {
    const left = [...steps];
    const context = {
      paint: plain,
      size: () => this.terminal,
      write: (text: string) => void this.printed.push(text),
      nowMs: () => this.nowMs,
      sleep: async () => left.shift()?.(),
      isOver: () => left.length === 0,
    };
    const options = { kind: 'room', folders: [], host: '127.0.0.1', port } as const;
    return exitCodeOf(() => runRoom(options, context), this.complaints);
  }

  /** The address that it shows. */
  get url(): string {
    return /http:\/\/[\d.:]+/.exec(this.printed.join(''))?.[0] ?? '';
  }

  /** Sends the report of a participant over HTTP. */
  async receive(id: string, name: string, place: string): Promise<void> {
    const { status } = await fetch(`${this.url}/reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ participant: { id, name }, report: reportWith([kataReport({ place })]) }),
    });
    expect(status).toBe(204);
  }
}

describe('kata report --room', () => {
  test('prints a line for each change into a file', async () => {
    const leader = new Leader();
    const code = await leader.run(
      0,
      () => leader.receive('participant-1', 'ada', 'Level 1'),
      () => leader.receive('participant-2', 'ada', 'Level 4'),
      () => {
        leader.nowMs = 60_000;
      },
      () => leader.receive('participant-1', 'ada', 'Level 2'),
      () => {},
    );
    expect(code).toBe(0);
    expect(leader.printed.map((line) => line.replace(leader.url, 'URL'))).toEqual([
      '0 participants · URL\n',
      '00:00:00  ada  23-replicaset  Level 1  0/15 laws  0 min\n',
      '00:00:00  ada  23-replicaset  Level 4  0/15 laws  0 min\n',
      '00:01:00  ada  23-replicaset  Level 2  0/15 laws  0 min\n',
    ]);
  });

  test('draws a terminal again after a report, after a minute and after a change of its size', async () => {
    const leader = new Leader();
    leader.terminal = { columns: 100, lines: 30 };
    const frames: number[] = [];
    const look = () => void frames.push(leader.printed.length);
    await leader.run(
      0,
      look,
      () => leader.receive('participant-1', 'ada', 'Level 1'),
      look,
      look,
      () => {
        leader.nowMs = 60_000;
      },
      look,
      () => {
        leader.terminal = { columns: 60, lines: 30 };
      },
      look,
      () => {},
    );
    expect(frames).toEqual([1, 2, 2, 3, 4]);
    expect(leader.printed.at(2)).toBe(
      [
        `\u001b[H1 participant · ${leader.url}`,
        '  name                     kata               place                     laws  min',
        '▶ ada                      23-replicaset      Level 1                   0/15    1',
        '\u001b[J',
      ].join('\u001b[K\n'),
    );
  });

  test('fails with a sentence if another program has its port', async () => {
    const leader = new Leader();
    const second = new Leader();
    let code: number | undefined;
    await leader.run(
      0,
      async () => {
        code = await second.run(Number(new URL(leader.url).port), () => {});
      },
      () => {},
    );
    expect(code).toBe(1);
    expect(second.complaints.err.join()).toMatch(
      /^Failed to open a room on 127\.0\.0\.1:\d+: listen EADDRINUSE.* Another program uses it: choose another one with --port\.$/,
    );
  });
});
