import { describe, expect, it } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import type { Message, Moment } from '../protocol/message.ts';
import type { Recipe } from '../protocol/recipe.ts';
import type { Frame } from '../protocol/run-service.ts';
import type { ObserveCluster } from '../view/index.ts';
import { onlyReference } from './parts.ts';
import { Player } from './player.ts';

const { components } = (await import('#components')) as { readonly components: Components };
// Without CoreDNS, a cluster begins in half the time.
const { dns, ...others } = components;
const parts = others as Components;
const recipe: Recipe = { seed: 5, nodes: 1, actions: [] };

/** Observes the trace alone: each entry is a message, and the start of a process is a moment. */
const observeTrace: ObserveCluster = ({ trace, sim, storage }, { zeroMs = 0 } = {}) => {
  let [messages, moments] = [trace.entries.length, trace.entries.length];
  return {
    view: () =>
      ({ atMs: sim.elapsedMs - zeroMs, revision: storage.revision }) as ReturnType<
        ReturnType<ObserveCluster>['view']
      >,
    newMessages: () => {
      const since = trace.entries.slice(messages);
      messages = trace.entries.length;
      return since.map(({ atMs, actor, verb, object }, id) => ({
        id,
        atMs: atMs - zeroMs,
        kind: 'note',
        way: [`process:${actor}`],
        verb,
        isFailure: false,
        isBackground: object?.startsWith('leases') ?? false,
      }));
    },
    newMoments: () => {
      const since = trace.entries.slice(moments);
      moments = trace.entries.length;
      return since
        .filter(({ verb }) => verb === 'start')
        .map(({ atMs, actor }) => ({ atMs: atMs - zeroMs, kind: 'node', text: `${actor} starts` }));
    },
    messageOf: () => undefined,
    inspect: async () => undefined,
    around: () => [],
    [Symbol.dispose]: () => {},
  };
};

/** A player on a clock that the test moves, and the state of a page that takes its frames. */
function newPage() {
  const clock = new ManualClock();
  const page = {
    frames: [] as Frame[],
    messages: [] as Message[],
    moments: [] as Moment[],
    actions: [] as Recipe['actions'],
    get last(): Frame {
      return page.frames.at(-1) as Frame;
    },
  };
  const player = new Player({
    implementations: onlyReference(parts),
    observe: observeTrace,
    clock,
    onFrame: (frame) => {
      if (frame.reset) page.messages = [];
      const { droppedFromMs = Number.POSITIVE_INFINITY } = frame;
      page.moments = frame.reset ? [] : page.moments.filter(({ atMs }) => atMs <= droppedFromMs);
      page.frames.push(frame);
      page.messages.push(...frame.messages);
      page.moments.push(...frame.moments);
      page.actions = frame.actions ?? page.actions;
    },
  });
  /** Lets real time pass in steps, and the player work between them. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10) {
      clock.advance(10);
      await player.read(() => {});
    }
  };
  return { player, page, pass, clock };
}

describe('A player', () => {
  it('opens a recipe paused at its last action', async () => {
    const { player, page } = newPage();
    await player.open({ ...recipe, actions: [{ atMs: 250, do: 'heal' }] });
    expect(page.last).toMatchObject({ state: 'paused', nowMs: 250, endMs: 250 });
  });

  it.each([0.01, 1, 100])('lets virtual time pass at speed %d', async (speed) => {
    const { player, page, pass } = newPage();
    await player.open(recipe);
    await player.play(speed);
    await pass(1_000);
    await player.pause();
    expect(page.last.state).toBe('paused');
    // The backlog of the last 10 ms may still be open.
    expect(page.last.nowMs / speed).toBeGreaterThan(980);
    expect(page.last.nowMs / speed).toBeLessThanOrEqual(1_000);
  });

  it('stands still while it is paused', async () => {
    const { player, page, pass } = newPage();
    await player.open(recipe, 100);
    await pass(5_000);
    expect(page.last.nowMs).toBe(100);
  });

  it('steps to the next message that is not background', async () => {
    const { player, page } = newPage();
    await player.open(recipe);
    const before = page.messages.length;
    await player.step();
    expect(page.messages.slice(before).filter(({ isBackground }) => !isBackground).length).toBeGreaterThan(0);
    expect(page.last.state).toBe('paused');
  });

  it('advances a paused run until an action has ended', async () => {
    const { player, page } = newPage();
    await player.open(recipe, 100);
    await player.act({ do: 'request', from: 'laptop', url: 'http://192.168.0.1:1/' });
    expect(page.last.nowMs).toBeLessThan(1_100);
    expect(page.frames.flatMap(({ output }) => output).at(-1)).toMatchObject({ exitCode: 7 });
  });

  it('goes back: the run is the same again, and the future stays on the time line', async () => {
    const { player, page } = newPage();
    await player.open(recipe);
    await player.act({ do: 'kill', process: 'default-scheduler', restartAfterMs: 500 });
    await player.seek(8_000);
    const [hash, moments] = [await player.read(({ run }) => run.cluster.trace.hash()), page.moments];
    await player.seek(300);
    expect(page.last).toMatchObject({ nowMs: 300, endMs: 8_000, state: 'paused' });
    expect(page.moments).toEqual(moments);
    await player.seek(8_000);
    expect(await player.read(({ run }) => run.cluster.trace.hash())).toBe(hash);
    expect(page.moments).toEqual(moments);
  });

  it('drops the future when the user acts in the past', async () => {
    const { player, page } = newPage();
    await player.open(recipe);
    await player.act({ do: 'kill', process: 'default-scheduler', restartAfterMs: 500 });
    await player.seek(8_000);
    await player.seek(200);
    await player.act({ do: 'heal' });
    expect(page.actions.map((action) => action.do)).toEqual(['kill', 'heal']);
    expect(page.last.endMs).toBe(page.last.nowMs);
    expect(page.moments.every(({ atMs }) => atMs <= page.last.nowMs)).toBe(true);
  });

  it('reports a moment of the new future once, also if the dropped future had it', async () => {
    const { player, page } = newPage();
    await player.open(recipe);
    await player.act({ do: 'kill', process: 'default-scheduler', restartAfterMs: 500 });
    const killedMs = page.actions[0]?.atMs ?? 0;
    await player.seek(2_000);
    await player.seek(killedMs + 499);
    await player.act({ do: 'kubectl', line: 'cordon node-1' });
    expect(page.last.nowMs).toBeGreaterThanOrEqual(killedMs + 500);
    expect(page.moments.map(({ text }) => text)).toEqual(['default-scheduler starts']);
  });

  it('brings back the future that the last action dropped', async () => {
    const { player, page } = newPage();
    await player.open(recipe);
    await player.act({ do: 'kill', process: 'default-scheduler', restartAfterMs: 500 });
    await player.seek(1_500);
    await player.act({ do: 'kill', process: 'kubelet-node-1', restartAfterMs: 500 });
    await player.seek(4_000);
    const moments = page.moments;
    await player.seek(200);
    await player.act({ do: 'heal' });
    // The second kill, and the starts of both processes.
    expect(page.last.dropped).toBe(3);
    await player.undo();
    expect(page.last).toMatchObject({ nowMs: 200, endMs: 4_000, state: 'paused' });
    expect(page.frames.findLast(({ dropped }) => dropped !== undefined)?.dropped).toBe(0);
    expect(page.actions.map((action) => action.do)).toEqual(['kill', 'kill']);
    expect(page.moments).toEqual(moments);
    await expect(player.undo()).rejects.toThrow('has dropped no later moments');
  });

  it('keeps a dropped future until the next action', async () => {
    const { player, page } = newPage();
    await player.open(recipe);
    await player.act({ do: 'kill', process: 'default-scheduler', restartAfterMs: 500 });
    await player.seek(2_000);
    await player.seek(200);
    await player.act({ do: 'heal' });
    await player.seek(300);
    await player.act({ do: 'heal' });
    expect(page.last.dropped).toBe(0);
    await expect(player.undo()).rejects.toThrow('has dropped no later moments');
  });

  it('gives up a way back when a newer one comes', async () => {
    const { player, page } = newPage();
    await player.open(recipe, 10_000);
    await Promise.all([1_000, 2_000, 3_000].map((ms) => player.seek(ms)));
    expect(page.last.nowMs).toBe(3_000);
    expect(page.frames.filter(({ reset }) => reset)).toHaveLength(2);
  });

  it('refuses an impossible action and keeps playing', async () => {
    const { player, page, pass } = newPage();
    await player.open(recipe);
    await player.play(1);
    await expect(player.act({ do: 'power-on', node: 'node-7' })).rejects.toThrow('node-7');
    await pass(100);
    expect(page.last).toMatchObject({ state: 'playing' });
    await player.pause();
  });

  it('keeps the future when an action in the past is impossible', async () => {
    const { player, page } = newPage();
    await player.open({ ...recipe, actions: [{ atMs: 250, do: 'heal' }] });
    await player.seek(100);
    await expect(player.act({ do: 'power-on', node: 'node-7' })).rejects.toThrow('node-7');
    await player.seek(300);
    expect(await player.read(({ run }) => [run.recipe.actions.length, run.done])).toEqual([1, 1]);
    expect(page.last.endMs).toBe(300);
  });

  it('reports that a run broke, and can go back from there', async () => {
    const { player, page } = newPage();
    await player.open(recipe, 1_000);
    await player.read(({ run: { cluster } }) => {
      cluster.sim.schedule(100, 'test', 'breaks', () => {
        throw new Error('the test broke it');
      });
    });
    await player.seek(2_000);
    expect(page.last).toMatchObject({ state: 'broken', error: 'the test broke it' });
    await player.seek(500);
    expect(page.last).toMatchObject({ state: 'paused', nowMs: 500 });
    expect(page.last.error).toBeUndefined();
  });
});
