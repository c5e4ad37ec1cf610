import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { pods, services } from '../api/resource.ts';
import type { Client } from '../contracts/client.ts';
import type { NewInformer } from '../contracts/informer.ts';
import { Simulation } from '../sim/index.ts';
import { sharedInformerFactory } from './shared-informer-factory.ts';

describe('sharedInformerFactory', () => {
  test('aborts all informers with its signal, with the same reason', () => {
    const { signals, controller } = running();

    controller.abort('the process was killed');

    expect(signals.map(({ reason }) => reason)).toEqual(['the process was killed', 'the process was killed']);
  });

  test('stops one informer, and lets the others go on', () => {
    const { factory, signals } = running();

    factory.stop(pods);

    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('starts an informer that is stopped already when its signal is aborted', () => {
    const controller = new AbortController();
    controller.abort();

    expect(running(controller).signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('lets informers be freed that were never stopped, with all that listens for their end', async () => {
    const freed = forgotten();

    // What a weak reference was asked for or made with lives until the end of the turn.
    await new Promise<void>((resolve) => setImmediate(resolve));
    collectGarbage();

    expect(freed.map((one) => one.deref())).toEqual([undefined, undefined]);
  });
});

/** A factory with two informers that run, of pods and of services, and the signals that they were given. */
function running(controller = new AbortController()) {
  const signals: AbortSignal[] = [];
  const sim = new Simulation();
  const newInformer = (() => ({
    run: async (signal: AbortSignal) => {
      const listens = new Array<AbortSignal>(1_000).fill(signal);
      signal.addEventListener('abort', () => listens.pop());
      signals.push(signal);
    },
  })) as unknown as NewInformer;
  const factory = sharedInformerFactory({
    newInformer,
    client: {} as Client,
    clock: sim.clock,
    random: sim.random,
    signal: controller.signal,
  });
  factory.forResource(pods);
  factory.forResource(services);
  factory.start();
  return { factory, signals, controller };
}

/** The signals of a factory that nothing holds any more. */
function forgotten(): readonly WeakRef<AbortSignal>[] {
  return running().signals.map((signal) => new WeakRef(signal));
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
