import { describe, expect, test } from 'vitest';
import type { Action, TimedAction } from '../../protocol/recipe.ts';
import type { CommandOutput } from '../../protocol/run-service.ts';
import { type ActService, ActSession } from './act-session.ts';
import { samples } from './samples.ts';
import { isFuture, timeOf } from './transcript.ts';

/** The request of a command that only reads. */
const READ = { number: 3, atMs: 0, text: 'list pods in default' };

/** A run that notes actions, and answers with what the test says. */
class FakeRun implements ActService {
  readonly actions: TimedAction[] = [];
  readonly session = new ActSession(this);
  nowMs = 0;
  /** The output that arrives in frames before an action has its number. */
  early: (number: number) => readonly CommandOutput[] = () => [];

  async act(action: Action): Promise<number> {
    if (action.do === 'kill') throw new Error('Failed to kill x: no process has this name.');
    const number = this.actions.push({ ...action, atMs: this.nowMs }) - 1;
    this.frame({ output: this.early(number) });
    return number;
  }

  async read(line: string) {
    return { output: `output of ${line}\n`, exitCode: 0, atMs: this.nowMs, requests: [READ] };
  }

  async onlyReads(line: string) {
    return /^(kubectl )?(get|rollout status)/.test(line);
  }

  async complete(line: string) {
    return line.trimStart().startsWith('g') ? ['get'] : ['web-1', 'web-2'];
  }

  async play() {}

  frame(news: Partial<Parameters<ActSession['take']>[0]>): void {
    this.session.take({
      nowMs: this.nowMs,
      state: 'paused',
      output: [],
      actions: [...this.actions],
      ...news,
    });
  }

  /** Returns the entries as a terminal shows them. */
  get screen(): readonly string[] {
    return this.session.state.entries.map(
      ({ text, pieces, state }) =>
        `${text} → ${pieces.map((piece) => piece.text).join('')}${state === 'running' ? '…' : ''}`,
    );
  }
}

const output = (action: number, text: string, rest: Partial<CommandOutput> = {}): CommandOutput => ({
  action,
  text,
  isError: false,
  ...rest,
});

describe('A command', () => {
  test('that only reads adds no action', async () => {
    const run = new FakeRun();
    await run.session.submit('kubectl get pods');
    expect(run.actions).toEqual([]);
    expect(run.screen).toEqual(['kubectl get pods → output of kubectl get pods\n']);
  });

  test('that writes is an action, and runs until its exit code arrives', async () => {
    const run = new FakeRun();
    await run.session.submit('kubectl delete pod web-1');
    expect(run.actions).toEqual([{ do: 'kubectl', line: 'delete pod web-1', atMs: 0 }]);
    run.frame({ output: [output(0, 'pod "web-1" deleted\n')] });
    expect(run.screen).toEqual(['kubectl delete pod web-1 → pod "web-1" deleted\n…']);
    expect(run.session.state.needsTime).toBe(true);
    run.frame({ output: [output(0, '', { exitCode: 0 })] });
    expect(run.session.state).toMatchObject({ needsTime: false, entries: [{ state: 'ended', exitCode: 0 }] });
  });

  test('shows output that arrives before the number of its action', async () => {
    const run = new FakeRun();
    run.early = (number) => [output(number, 'scaled\n', { exitCode: 0 })];
    await run.session.submit('scale deployment web --replicas=5');
    expect(run.screen).toEqual(['scale deployment web --replicas=5 → scaled\n']);
  });

  test('keeps its requests, until the run begins again', async () => {
    const run = new FakeRun();
    const requests = [{ number: 7, atMs: 0, text: 'delete pods a in default', refusal: 'Forbidden' }];
    await run.session.submit('kubectl delete pod a');
    run.frame({ output: [output(0, '', { exitCode: 1, requests })] });
    expect(run.session.state.entries[0]?.requests).toEqual(requests);
    run.frame({ reset: true });
    expect(run.session.state.entries[0]?.requests).toBeUndefined();
  });

  test('that only reads keeps its requests, too', async () => {
    const run = new FakeRun();
    await run.session.submit('kubectl get pods');
    expect(run.session.state.entries[0]?.requests).toEqual([READ]);
  });

  test('needs no time while the clock runs', async () => {
    const run = new FakeRun();
    await run.session.submit('rollout status deployment web');
    expect(run.session.state.needsTime).toBe(true);
    run.frame({ state: 'playing' });
    expect(run.session.state.needsTime).toBe(false);
  });

  test('reads samples as files', async () => {
    const run = new FakeRun();
    await run.session.submit('kubectl apply -f web.yaml');
    expect(run.actions).toEqual([{ do: 'kubectl', line: 'apply -f -', manifest: samples[0]?.text, atMs: 0 }]);
    expect(run.screen).toEqual(['kubectl apply -f web.yaml → …']);
  });

  test('with an unknown file fails, and names the files', async () => {
    const run = new FakeRun();
    await run.session.submit('apply -f wbe.yaml');
    expect(run.actions).toEqual([]);
    expect(run.screen[0]).toContain('the path "wbe.yaml" does not exist. The page has the files web.yaml,');
  });

  test('reads a manifest line by line for -f -, until its input ends', async () => {
    const run = new FakeRun();
    await run.session.submit('kubectl apply -f -');
    await run.session.submit('kind: Pod');
    await run.session.submit('apiVersion: v1\nmetadata: {name: a}\n');
    expect(run.session.state.manifest?.lines).toHaveLength(3);
    await run.session.endInput();
    expect(run.actions).toMatchObject([{ manifest: 'kind: Pod\napiVersion: v1\nmetadata: {name: a}\n' }]);
  });

  test('is one of several in a paste', async () => {
    const run = new FakeRun();
    run.early = (number) => [output(number, '', { exitCode: 0 })];
    await run.session.submit('kubectl get pods\nkubectl delete pod a\nclear\nkubectl get nodes');
    expect(run.actions).toHaveLength(1);
    expect(run.screen).toEqual(['kubectl get nodes → output of kubectl get nodes\n']);
  });

  test('has its time, and the time that a paused run advanced for it', async () => {
    const run = new FakeRun();
    run.nowMs = 2_000;
    run.frame({});
    await run.session.submit('get pods');
    run.early = () => {
      run.nowMs += 107;
      return [];
    };
    await run.session.submit('delete pod a');
    const { entries } = run.session.state;
    expect(entries.map((entry) => timeOf(entry, run.actions))).toEqual([2_000, 2_000]);
    expect(entries.map(({ advancedMs }) => advancedMs)).toEqual([undefined, 107]);
  });

  test('that acts while the clock runs advances nothing', async () => {
    const run = new FakeRun();
    run.frame({ state: 'playing' });
    run.early = () => {
      run.nowMs += 107;
      return [];
    };
    await run.session.submit('delete pod a');
    expect(run.session.state.entries[0]).not.toHaveProperty('advancedMs');
  });

  test('is interrupted by an action', async () => {
    const run = new FakeRun();
    await run.session.submit('rollout status deployment web');
    await run.session.interrupt();
    expect(run.actions.at(-1)).toMatchObject({ do: 'interrupt', command: 0 });
    expect(run.screen).toEqual(['rollout status deployment web → ^C\n…']);
  });
});

describe('An interactive program', () => {
  test('receives lines and the end of the input as actions', async () => {
    const run = new FakeRun();
    await run.session.submit('exec -it web-1 -- sh');
    run.frame({ output: [output(0, '/ # ', { isInteractive: true })] });
    await run.session.submit('ls\nexit');
    await run.session.endInput();
    expect(run.actions.slice(1)).toEqual([
      { do: 'type', into: 0, line: 'ls', atMs: 0 },
      { do: 'type', into: 0, line: 'exit', atMs: 0 },
      { do: 'type', into: 0, atMs: 0 },
    ]);
  });

  test('still receives lines after the run began again', async () => {
    const run = new FakeRun();
    await run.session.submit('exec -it web-1 -- sh');
    run.frame({ reset: true, output: [output(0, '/ # ', { isInteractive: true })] });
    await run.session.submit('ls');
    expect(run.actions.at(-1)).toMatchObject({ do: 'type', into: 0, line: 'ls' });
  });
});

describe('A menu', () => {
  test('shows its action in words, which ends at once', async () => {
    const run = new FakeRun();
    const failed = await run.session.perform({
      action: { do: 'fault', fault: { fault: 'cut-watches', process: 'kubelet-node-1' } },
    });
    expect(failed).toBeUndefined();
    expect(run.screen).toEqual(['Cut the watches of kubelet-node-1 → ']);
  });

  test('reports an impossible action', async () => {
    const run = new FakeRun();
    const failed = await run.session.perform({ action: { do: 'kill', process: 'x', restartAfterMs: 0 } });
    expect(failed).toBe('Failed to kill x: no process has this name.');
    expect(run.session.state.entries).toMatchObject([{ state: 'ended', exitCode: 1 }]);
  });

  test('keeps its latest command in sight until the reader dismisses it', async () => {
    const run = new FakeRun();
    await run.session.perform({ line: 'kubectl delete pod web-1' });
    run.frame({ output: [output(0, 'pod "web-1" deleted\n', { exitCode: 0 })] });
    expect(run.session.state.latest).toMatchObject({ text: 'kubectl delete pod web-1', state: 'ended' });
    run.session.dismiss();
    expect(run.session.state.latest).toBeUndefined();
  });

  test('leaves a command that opens the prompt to the prompt, and so does the reader who types', async () => {
    const run = new FakeRun();
    await run.session.perform({ line: 'kubectl describe pod web-1', opensPrompt: true });
    expect(run.session.state.latest).toBeUndefined();
    run.frame({ output: [output(0, '', { exitCode: 0 })] });
    await run.session.perform({ line: 'kubectl delete pod web-1' });
    run.frame({ output: [output(1, '', { exitCode: 0 })] });
    await run.session.submit('get pods');
    expect(run.session.state.latest).toBeUndefined();
  });

  test('waits for the answer to a request', async () => {
    const run = new FakeRun();
    await run.session.perform({ action: { do: 'request', from: 'laptop', url: 'http://web' } });
    expect(run.screen).toEqual(['Request http://web from laptop → …']);
    expect(run.session.state.latest).toMatchObject({ action: 0, state: 'running' });
    run.frame({ output: [output(0, 'HTTP 200\n'), output(0, '', { exitCode: 0 })] });
    expect(run.screen).toEqual(['Request http://web from laptop → HTTP 200\n']);
  });
});

describe('After a seek back', () => {
  test('the output of actions comes again, and later actions stand in the future', async () => {
    const run = new FakeRun();
    run.early = (number) => [output(number, 'done\n', { exitCode: 0 })];
    await run.session.submit('delete pod a');
    run.nowMs = 5_000;
    await run.session.submit('delete pod b');
    run.frame({ reset: true, output: [output(0, 'done\n', { exitCode: 0 })] });
    expect(run.screen).toEqual(['delete pod a → done\n', 'delete pod b → …']);
    const { entries } = run.session.state;
    expect(entries.map((entry) => isFuture(entry, run.actions, 1_000))).toEqual([false, true]);
    expect(run.session.state.running).toBeUndefined();
  });

  /** A run whose reader deleted a pod at 5 s, read at 6 s, went back to 1 s, and deleted another pod there. */
  async function otherFuture(): Promise<FakeRun> {
    const run = new FakeRun();
    run.early = (number) => [output(number, 'done\n', { exitCode: 0 })];
    run.nowMs = 5_000;
    await run.session.submit('delete pod a');
    run.nowMs = 6_000;
    await run.session.submit('get pods');
    run.nowMs = 1_000;
    run.frame({ reset: true });
    run.actions.length = 0;
    await run.session.submit('delete pod b');
    return run;
  }

  test('a read shows a time of the future until the run reaches it', async () => {
    const run = new FakeRun();
    run.nowMs = 6_000;
    await run.session.submit('get pods');
    run.frame({ reset: true, nowMs: 1_000 });
    const [read] = run.session.state.entries;
    if (!read) throw new Error('the read has an entry');
    expect([1_000, 6_000].map((nowMs) => isFuture(read, run.actions, nowMs))).toEqual([true, false]);
  });

  test('actions and reads of a future that a new action drops stay as text', async () => {
    const run = await otherFuture();
    const { entries } = run.session.state;
    expect(entries).toMatchObject([
      { text: 'delete pod a', state: 'ended', dropped: { by: run.actions[0] } },
      { text: 'get pods', dropped: { by: run.actions[0] } },
      { text: 'delete pod b', action: 0, state: 'ended' },
    ]);
    expect(entries[0]).not.toHaveProperty('action');
    expect(entries.map((entry) => timeOf(entry, run.actions))).toEqual([5_000, 6_000, 1_000]);
  });

  test('an undo makes them valid again, and drops the new action', async () => {
    const run = await otherFuture();
    run.actions.splice(0, 1, { do: 'kubectl', line: 'delete pod a', atMs: 5_000 });
    run.frame({ reset: true });
    const { entries } = run.session.state;
    expect(entries.map(({ dropped }) => dropped !== undefined)).toEqual([false, false, true]);
    expect(entries[0]).toMatchObject({ action: 0, pieces: [] });
    run.frame({ output: [output(0, 'done\n', { exitCode: 0 })] });
    expect(run.screen[0]).toBe('delete pod a → done\n');
  });

  test('the actions of an address have entries, too', () => {
    const run = new FakeRun();
    run.actions.push({ do: 'kubectl', line: 'delete pod a', atMs: 10 });
    run.frame({ reset: true, output: [output(0, 'done\n')] });
    expect(run.screen).toEqual(['kubectl delete pod a → done\n…']);
  });
});

describe('Completion', () => {
  test('adds the common beginning, and lists the words', async () => {
    const { session } = new FakeRun();
    expect(await session.complete('kubectl delete pod w')).toEqual({
      line: 'kubectl delete pod web-',
      words: ['web-1', 'web-2'],
    });
  });

  test('ends a word that is clear', async () => {
    const { session } = new FakeRun();
    expect(await session.complete('g')).toEqual({ line: 'get ', words: [] });
    expect(await session.complete('kubectl delete pod web-2')).toEqual({
      line: 'kubectl delete pod web-2 ',
      words: [],
    });
  });

  test('knows the files of the page', async () => {
    const { session } = new FakeRun();
    expect(await session.complete('apply -f w')).toMatchObject({ words: ['web.yaml', 'waits.yaml'] });
    expect(await session.complete('apply -f wa')).toEqual({ line: 'apply -f waits.yaml ', words: [] });
  });
});
