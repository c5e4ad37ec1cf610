import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atRandom, Line, Simulation, seededRandom } from '../../sim/index.ts';
import type { MachineEvent } from '../history.ts';
import { containerConfig, machineAlone, sandboxConfig } from '../machine.fixture.ts';
import { exits, serves } from '../programs/scripted.ts';
import { failure } from './contract/sandboxes.ts';
import type { ProfileName } from './profile.ts';

/** An operation on a runtime, which may overlap with earlier operations. */
interface Operation {
  readonly what:
    | 'run'
    | 'create'
    | 'start'
    | 'stop'
    | 'remove'
    | 'stopSandbox'
    | 'removeSandbox'
    | 'exec'
    | 'kill'
    | 'restart'
    | 'powerLoss';
  /** The index of the sandbox or container, among all existing ones. */
  readonly of: number;
  readonly seconds: number;
  /** The time until the next operation. */
  readonly thenMs: number;
}

interface Life {
  readonly seed: number;
  readonly operations: readonly Operation[];
  /** The calls of the network plugin that fail, and whether their effect took place. */
  readonly failures: readonly {
    readonly verb: 'add' | 'del';
    readonly nth: number;
    readonly performed: boolean;
  }[];
}

const calm: Operation['what'][] = [
  'run',
  'create',
  'start',
  'stop',
  'remove',
  'stopSandbox',
  'removeSandbox',
  'exec',
  'kill',
];
const operation = (whats: readonly Operation['what'][]): fc.Arbitrary<Operation> =>
  fc.record({
    what: fc.constantFrom(...whats),
    of: fc.nat(5),
    seconds: fc.nat(2),
    thenMs: fc.constantFrom(0, 1, 10, 30, 100, 3_000),
  });

/** Mostly operations that create objects, or work on objects that earlier operations created. */
const operations = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: operation(['run', 'create', 'start']) },
    { weight: 4, arbitrary: operation(calm) },
    { weight: 1, arbitrary: operation(['restart', 'powerLoss']) },
  ),
  { minLength: 1, maxLength: 25 },
);

const life: fc.Arbitrary<Life> = fc.record({
  seed: fc.nat(),
  operations,
  failures: fc.array(
    fc.record({ verb: fc.constantFrom('add' as const), nth: fc.nat(4), performed: fc.boolean() }),
    { maxLength: 2 },
  ),
});

const programs = {
  nginx: serves({ stopsAfterMs: 1_500 }),
  'redis-server': exits({ code: 1, afterMs: 700 }),
  hello: exits(),
};
const images = ['nginx:1.27', 'redis:8', 'hello-world'];

/** Runs all operations, then stops and removes everything that is left. */
async function live(profile: ProfileName, { seed, operations, failures }: Life) {
  const sim = new Simulation({ seed, choose: atRandom(seededRandom(seed)) });
  const calls = { add: 0, del: 0 };
  const line = new Line(sim, {
    actor: 'runtime',
    latencyMs: () => 1,
    interference: ({ verb }) => {
      const nth = calls[verb as 'add' | 'del']++;
      const struck = failures.find((each) => each.verb === verb && each.nth === nth);
      return struck ? failure(struck.performed) : { kind: 'pass' };
    },
  });
  const { machine, runtime, settle } = machineAlone({ profile, sim, programs, line });
  const { pidsFree } = await settle(machine.host.stats.usage());
  const sandboxes: { readonly id: string; readonly config: ReturnType<typeof sandboxConfig> }[] = [];
  const containers: string[] = [];
  const seen: { readonly id: string; readonly state: string }[] = [];
  let made = 0;

  const look = async (): Promise<void> => {
    const list = await Promise.all([runtime.listContainers(), runtime.listPodSandbox()]).catch(() => [
      [],
      [],
    ]);
    const returned = new Set(sandboxes.map(({ id }) => id));
    for (const { id, state } of list.flat()) {
      if (containers.includes(id) || returned.has(id)) seen.push({ id, state });
    }
  };
  const act = async ({ what, of, seconds }: Operation): Promise<void> => {
    const sandbox = sandboxes[of % Math.max(1, sandboxes.length)];
    const container = containers[of % Math.max(1, containers.length)];
    if (what === 'run') {
      // Some sandboxes are requested twice, as by a client that retries after a lost answer.
      const config = sandboxConfig(`pod-${of}`, {
        metadata: { ...sandboxConfig(`pod-${of}`).metadata, attempt: made++ >> 1 },
      });
      sandboxes.push({ id: await runtime.runPodSandbox(config), config });
    } else if (what === 'create' && sandbox) {
      const config = containerConfig(images[of % images.length] ?? '', {
        metadata: { name: 'main', attempt: made++ },
      });
      containers.push(await runtime.createContainer(sandbox.id, config, sandbox.config));
    } else if (what === 'stopSandbox' && sandbox) await runtime.stopPodSandbox(sandbox.id);
    else if (what === 'removeSandbox' && sandbox) {
      await runtime.stopPodSandbox(sandbox.id);
      await runtime.removePodSandbox(sandbox.id);
    } else if (what === 'start' && container) await runtime.startContainer(container);
    else if (what === 'stop' && container) await runtime.stopContainer(container, seconds);
    else if (what === 'remove' && container) await runtime.removeContainer(container);
    else if (what === 'exec' && container) await runtime.execSync(container, ['sleep', '1'], seconds);
    else if (what === 'kill' && container) machine.signal(container, 'SIGKILL');
    else if (what === 'restart') {
      machine.stopRuntime();
      sim.schedule(50, 'test', 'start', () => machine.startRuntime());
    } else if (what === 'powerLoss') {
      machine.powerOff();
      sim.schedule(50, 'test', 'boot', () => machine.powerOn());
    }
  };

  for (const each of operations) {
    void act(each).catch(() => {});
    await sim.run({ forMs: each.thenMs });
    await look();
  }
  // Wait until all operations have finished. Then the lists must match the actual state.
  await sim.run({ forMs: 200_000 });
  await look();
  const running = (await settle(runtime.listContainers({ state: 'CONTAINER_RUNNING' })))
    .map(({ id }) => id)
    .sort();
  const runningThen = running.join() === runningIn(machine.history).join();

  for (const { id } of await settle(runtime.listPodSandbox())) {
    await settle(runtime.stopPodSandbox(id)).catch(() => settle(runtime.stopPodSandbox(id)));
    await settle(runtime.removePodSandbox(id));
  }
  // A container can outlive its sandbox if its creation overlapped with the removal of the sandbox. A kubelet finds it
  // by its labels and removes it.
  for (const { id } of await settle(runtime.listContainers())) await settle(runtime.removeContainer(id));
  await sim.run({ forMs: 1_000 });
  return {
    history: machine.history,
    seen,
    runningThen,
    left: [
      ...(await settle(runtime.listPodSandbox())),
      ...(await settle(runtime.listContainers())),
      pidsFree - (await settle(machine.host.stats.usage())).pidsFree,
    ],
    trace: sim.trace.hash(),
  };
}

function runningIn(history: readonly MachineEvent[]): readonly string[] {
  const running = new Set<string>();
  for (const { event, containerId = '' } of history) {
    if (event === 'container-started') running.add(containerId);
    if (event === 'container-exited') running.delete(containerId);
  }
  return [...running].sort();
}

/** Groups events by key, in order. */
function by(
  history: readonly MachineEvent[],
  key: (event: MachineEvent) => string | undefined,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const event of history) {
    const of = key(event);
    if (of !== undefined) found.set(of, [...(found.get(of) ?? []), event.event]);
  }
  return found;
}

const CONTAINER_LIFE = /^container-created(,container-started,container-exited)?(,container-removed)?$/;
const ADDRESS_LIFE = /^(address-allocated,address-released,?)*$/;
const STATES = [
  'CONTAINER_CREATED',
  'CONTAINER_RUNNING',
  'CONTAINER_EXITED',
  'SANDBOX_READY',
  'SANDBOX_NOTREADY',
];

/** Returns the violations of the invariants, as sentences. */
function violations(
  profile: ProfileName,
  { history, seen, runningThen, left }: Awaited<ReturnType<typeof live>>,
): string[] {
  const found: string[] = [];
  const isContainer = ({ event, containerId }: MachineEvent) =>
    event.startsWith('container-') ? containerId : undefined;
  for (const [id, events] of by(history, isContainer)) {
    if (!CONTAINER_LIFE.test(events.join())) found.push(`container ${id} lived ${events}`);
  }
  for (const [ip, events] of by(history, ({ event, ip }) =>
    event.startsWith('address-') ? ip : undefined,
  )) {
    if (!ADDRESS_LIFE.test(events.join())) found.push(`address ${ip} was ${events}`);
  }
  const stopped = new Set<string>();
  const running = new Map<string, string>();
  for (const { event, sandboxId = '', containerId = '' } of history) {
    if (event === 'sandbox-stopped') stopped.add(sandboxId);
    if (event === 'container-started') {
      running.set(containerId, sandboxId);
      if (stopped.has(sandboxId)) found.push(`container ${containerId} started in a stopped sandbox`);
    }
    if (event === 'container-exited') running.delete(containerId);
    if (event === 'sandbox-removed' && [...running.values()].includes(sandboxId)) {
      found.push(`sandbox ${sandboxId} is removed while something runs in it`);
    }
    const outlived = event === 'sandbox-stopped' && [...running.values()].includes(sandboxId);
    if (outlived && profile !== 'cri-dockerd')
      found.push(`sandbox ${sandboxId} stopped while something runs in it`);
  }
  const last = new Map<string, number>();
  for (const { id, state } of seen) {
    const stage = STATES.indexOf(state);
    if (stage < (last.get(id) ?? 0)) found.push(`${id} went back to ${state}`);
    last.set(id, stage);
  }
  if (!runningThen) found.push('the runtime does not tell what runs');
  if (left.length !== 1 || left[0] !== 0) found.push(`this is left: ${JSON.stringify(left)}`);
  return found;
}

describe.each(['containerd', 'cri-o', 'cri-dockerd'] as const)('%s, under any operations,', (profile) => {
  test('keeps its containers, sandboxes and addresses consistent', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (of) => {
        expect(violations(profile, await live(profile, of))).toEqual([]);
      }),
    );
  });

  test('replays a run identically', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (of) => {
        const [one, two] = [await live(profile, of), await live(profile, of)];
        expect(two.history).toEqual(one.history);
      }),
      { numRuns: 10 },
    );
  });
});
