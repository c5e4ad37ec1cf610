import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashOfKata, writeVerdict } from '../../workbook/verdict.ts';
import { exitCodeOf } from '../failure.ts';
import { failureOf, Screen } from '../screen.fixture.ts';
import { SmallWorkbook, STUB, WHOLE } from '../workbook.fixture.ts';
import { Folders, namesOf } from './folders.ts';
import { Room } from './room.ts';
import { answer } from './room-server.ts';
import { sendReport } from './send.ts';

/** A participant who sends reports to a room, without a network. */
class Sender {
  readonly room = new Room();
  readonly screen = new Screen();
  /** Whether the room can be reached. */
  isOpen = true;
  readonly #workbook: SmallWorkbook;

  constructor(workbook: SmallWorkbook) {
    this.#workbook = workbook;
  }

  /** Runs the command. While it watches, it takes one of the steps at each wait, and ends after the last. */
  async send(watch: boolean, ...steps: readonly (() => void)[]): Promise<number> {
    const left = [...steps];
    const to = new URL('http://leader:8600');
    const context = {
      root: this.#workbook.root,
      terminal: this.screen,
      fetch: (url: string | URL | Request, init?: RequestInit) => this.#fetch(String(url), init),
      nowMs: () => 0,
      sleep: async () => left.shift()?.(),
      isOver: () => watch && left.length === 0,
    };
    return exitCodeOf(() => sendReport({ kind: 'send', to, name: 'ada', watch }, context), this.screen);
  }

  async #fetch(url: string, init?: RequestInit): Promise<Response> {
    if (!this.isOpen) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    const contentType = new Headers(init?.headers).get('content-type') ?? '';
    const request = {
      method: init?.method ?? 'GET',
      path: new URL(url).pathname,
      contentType,
      body: String(init?.body),
    };
    const { status, text } = answer(request, {
      room: this.room,
      title: () => '',
      nowMs: () => 0,
      onChange: () => {},
    });
    return new Response(text === '' ? null : text, { status });
  }
}

function pass(workbook: SmallWorkbook, passed: number): void {
  const laws = [{ name: 'The laws', optional: false, passed, failed: 3 - passed, notRun: 0, todo: 0 }];
  writeVerdict(workbook.root, '21-counter', {
    levels: [],
    laws,
    at: hashOfKata(workbook.root, '21-counter'),
  });
}

describe('kata report --to', () => {
  test('sends the report once', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, WHOLE);
    const sender = new Sender(workbook);
    expect(await sender.send(false)).toBe(0);
    expect(sender.screen.out).toEqual(['Reported to http://leader:8600.']);
    expect(sender.room.rowsAt(0)).toMatchObject([{ name: 'ada', kata: '21-counter', place: 'not run yet' }]);
    // The same clone is the same participant.
    await sender.send(false);
    expect(sender.room.rowsAt(0)).toHaveLength(1);
  });

  test('fails with a sentence if no room answers, or the room rejects the report', async () => {
    using workbook = new SmallWorkbook();
    const sender = new Sender(workbook);
    sender.isOpen = false;
    expect(await sender.send(false)).toBe(1);
    expect(sender.screen.err).toEqual([
      "Failed to report to http://leader:8600: the room cannot be reached (ECONNREFUSED). Compare the address with the leader's screen.",
    ]);
    sender.isOpen = true;
    workbook.write('node_modules/.cache/kubernetes-katas/participant.json', '{ "id": "short" }');
    expect(await sender.send(false)).toBe(1);
    expect(sender.screen.err.at(-1)).toMatch(/the room answered 400\. participant\.id must have/);
  });

  test('sends again after each run with --watch, also after the room was away', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, WHOLE);
    const sender = new Sender(workbook);
    const held: unknown[] = [];
    const look = () => held.push(sender.room.rowsAt(0)[0]?.laws.hold);
    const code = await sender.send(
      true,
      () => pass(workbook, 1),
      look,
      () => {
        sender.isOpen = false;
        pass(workbook, 2);
      },
      look,
      () => {
        sender.isOpen = true;
      },
      look,
      look,
    );
    expect(code).toBe(0);
    expect(held).toEqual([1, 1, 2, 2]);
    expect(sender.screen.out).toEqual([
      'Reporting to http://leader:8600 after each run, until Ctrl-C.',
      'Reporting to http://leader:8600 after each run, until Ctrl-C.',
    ]);
    expect(sender.screen.err).toHaveLength(1);
  });
});

describe('The folders of a room', () => {
  test('are read again after a save or a run', async () => {
    using ada = new SmallWorkbook();
    using bob = new SmallWorkbook();
    const room = new Room();
    const folders = new Folders([ada.root, bob.root]);
    const reads = async (): Promise<number> => {
      let count = 0;
      await folders.read(
        room,
        () => 0,
        async () => void count++,
      );
      return count;
    };
    expect(await reads()).toBe(2);
    expect(room.rowsAt(0)).toMatchObject([{ place: 'not started' }, { place: 'not started' }]);
    expect(await reads()).toBe(0);
    bob.write(STUB, WHOLE);
    expect(await reads()).toBe(1);
    pass(bob, 2);
    expect(await reads()).toBe(1);
    expect(room.rowsAt(0).map(({ kata, laws }) => [kata, laws.hold])).toContainEqual(['21-counter', 2]);
  });

  test('are named by the parts of their paths that differ', () => {
    expect(namesOf(['/class/ada/katas', '/class/bob/katas'].map((each) => path.normalize(each)))).toEqual([
      'ada',
      'bob',
    ]);
    expect(namesOf(['/class/ada', '/class/group-2/bob'].map((each) => path.normalize(each)))).toEqual([
      'ada',
      'group-2/bob',
    ]);
    expect(namesOf([path.normalize('/class/ada')])).toEqual(['ada']);
  });

  test('must be workbooks', () => {
    using workbook = new SmallWorkbook();
    mkdirSync(path.join(workbook.root, 'empty'));
    expect(failureOf(() => new Folders([path.join(workbook.root, 'empty')]))).toMatch(
      /it has no folder katas/,
    );
  });
});
