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

  test('stops one informer, and keeps the others running', () => {
    const { factory, signals } = running();

    factory.stop(pods);

    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('aborts informers at once if its signal is already aborted', () => {
    const controller = new AbortController();
    controller.abort();

    expect(running(controller).signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('lets informers that were never stopped be garbage-collected, with their listeners', async () => {
    const freed = forgotten();

    // A weak reference keeps its target alive until the end of the turn that creates or reads it.
    await new Promise<void>((resolve) => setImmediate(resolve));
    collectGarbage();

    expect(freed.map((one) => one.deref())).toEqual([undefined, undefined]);
  });
});

/** Creates a factory with two running informers, of pods and of services. Returns the signals that they received. */
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

/** Returns the signals of a factory that no code references any more. */
function forgotten(): readonly WeakRef<AbortSignal>[] {
  return running().signals.map((signal) => new WeakRef(signal));
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
