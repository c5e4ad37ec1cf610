import type * as authentication from '#api/authentication/v1';
import type { KubeObject, New, Secret } from '../../api/objects.ts';
import { tokenReviews } from '../../api/plain-resources.ts';
import { secrets } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Component, Components } from '../../contracts/component.ts';
import type { TraceEntry } from '../../sim/index.ts';
import { type ClusterRun, play, recordOf } from '../../testing/rig/play.ts';
import { restAndRestart } from '../../testing/rig/rest-and-restart.ts';
import { perRevision } from '../../testing/rig/settling.ts';
import { Stage } from '../../testing/rig/stage.ts';
import { Environment, ROOT_CA } from './environment.ts';
import { obligations, type Snapshot, snapshotFrom } from './oracle.ts';
import {
  ACCOUNTS,
  type Operation,
  PROCESSES,
  PUBLISHER,
  type ServiceAccountScenario,
  TOKENS,
} from './scenario.ts';

/** A controller starts when the last request of its predecessor has arrived: a lease ensures that. */
const LEASE_MS = 60;

/** Longer than the longest back-off after the faults. */
const SETTLE_WITHIN_MS = 100_000;
/** How long nothing must happen then, before and after a restart. */
const REST_MS = 40_000;

/** The controllers of a run. */
export interface AccountControllers {
  readonly accounts: Component;
  readonly publisher: Component;
  readonly tokens: Component;
}

/** A token that a Secret had, and the answer of the apiserver about it in the end. */
export interface Reviewed {
  readonly token: string;
  readonly secret: string;
  /** Whether a Secret still holds it for its account. */
  readonly isHeld: boolean;
  readonly user: string | undefined;
}

/** One run of the controllers, until they are quiescent, and a restart after that. */
export interface ServiceAccountHistory extends ClusterRun {
  /** The requests of the controllers. */
  readonly requests: readonly TraceEntry[];
  /** Whether no fault struck. */
  readonly isUndisturbed: boolean;
  /** The certificate of the apiserver's authority. */
  readonly rootCA: string;
  readonly restedMs: number | undefined;
  /** The obligations at the deadline. */
  readonly owed: readonly string[];
  readonly leftMs: number;
  readonly reviewed: readonly Reviewed[];
}

/**
 * Runs the three controllers in a hostile cluster: users create, delete and edit their objects, and the nemesis injects
 * faults. At the end the controllers restart once.
 *
 * @throws the rejection of a controller
 */
export async function runServiceAccounts(
  controllers: AccountControllers,
  components: Partial<Components>,
  scenario: ServiceAccountScenario,
): Promise<ServiceAccountHistory> {
  const { seed, schedule, replicas, latencyMs, steps } = scenario;
  const latency = { min: 1, max: latencyMs };
  const options = { seed, schedule, replicas, latencyMs: latency, components, ca: ROOT_CA };
  await using cluster = await createCluster(options);
  const { sim } = cluster;
  const environment = new Environment(cluster);
  await environment.createNamespace('blue');
  const owed = perRevision(cluster, () => obligations(snapshotOf(cluster)));
  const components3 = {
    [ACCOUNTS]: controllers.accounts,
    [PUBLISHER]: controllers.publisher,
    [TOKENS]: controllers.tokens,
  };
  const { restedMs } = await play<Operation>({
    cluster,
    start: () => {
      const [first] = Object.entries(components3).map(([name, component]) => start(cluster, name, component));
      return first as NonNullable<typeof first>;
    },
    steps,
    act: (operation) => environment.act(operation),
    settle: async () =>
      (await cluster.runUntil(() => owed().length === 0, SETTLE_WITHIN_MS)) ? sim.elapsedMs : undefined,
  });
  const atDeadline = { owed: owed(), leftMs: sim.elapsedMs };
  if (restedMs !== undefined) {
    await restAndRestart(cluster, { processes: PROCESSES, restMs: REST_MS });
  }
  for (const { failure } of cluster.processes) if (failure !== undefined) throw failure;
  return {
    ...recordOf(cluster),
    requests: cluster.trace.entries.filter(({ actor }) => PROCESSES.includes(actor as never)),
    isUndisturbed: steps.every((step) => !('strike' in step)),
    rootCA: ROOT_CA,
    restedMs,
    ...atDeadline,
    reviewed: await reviewed(cluster),
  };
}

function start(cluster: Cluster, name: string, component: Component) {
  let starts = 0;
  return cluster.run(name, async (context) => {
    if (starts++ > 0) await context.clock.sleep(LEASE_MS, context.signal);
    await component(context);
  });
}

function snapshotOf(cluster: Cluster): Snapshot {
  const stage = new Stage(cluster);
  return snapshotFrom((resource) => stage.list(resource), ROOT_CA);
}

/** Asks the apiserver about each token that a controller has written. */
async function reviewed(cluster: Cluster): Promise<readonly Reviewed[]> {
  const { accounts, secrets: left } = snapshotOf(cluster);
  const tokens = new Map<string, JournalEntry<Secret>>();
  for (const entry of cluster.journal.of(secrets)) {
    const token = entry.object.data?.token;
    const isNew = token !== entry.previous?.data?.token;
    if (entry.actor === TOKENS && token && isNew) tokens.set(token, entry);
  }
  const all: Reviewed[] = [];
  for (const [encoded, { object, key }] of tokens) {
    const { uid, annotations = {} } = object.metadata;
    const token = atob(encoded);
    const isHeld = left.some(({ metadata, data }) => metadata.uid === uid && data?.token === encoded);
    const accountUID = annotations['kubernetes.io/service-account.uid'];
    const isThere = accounts.some(({ metadata }) => metadata.uid === accountUID);
    const review = { spec: { token } } as unknown as New<KubeObject>;
    const { status } = (await cluster.admin.create(tokenReviews as never, review)) as {
      readonly status?: authentication.TokenReviewStatus;
    };
    const user = status?.authenticated ? status.user?.username : undefined;
    all.push({ token, secret: key, isHeld: isHeld && isThere, user });
  }
  return all;
}
