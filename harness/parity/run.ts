import { endpointSlices, namespaces, nodes, serviceAccounts } from '../api/resource.ts';
import type { Behaviour, Need } from './behaviour.ts';
import { Call } from './call.ts';
import { Difference, has, lacks, type Mismatch, present, Undecided } from './expectation.ts';
import { Session } from './session.ts';
import type { Target } from './target.ts';

/** The result of one behaviour. */
export interface Outcome {
  readonly behaviour: Behaviour;
  /**
   * `broken`: the check could not be finished, for example because the connection failed. `skipped`: the cluster lacks
   * something that the behaviour needs. `known`: our own cluster differs, and docs/limits.md says so.
   */
  readonly result: 'same' | 'different' | 'undecided' | 'skipped' | 'broken' | 'known';
  /** The request with the different result, the error, or the missing {@link Need}. */
  readonly subject?: string;
  readonly mismatches?: readonly Mismatch[];
}

interface RunOptions {
  /** The number of behaviours that are checked at once. @defaultValue 8 */
  readonly lanes?: number;
  /** Called with each outcome, as soon as it is known. */
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** Checks behaviours of a cluster. @returns an outcome for each, in their order */
export async function runBehaviours(
  target: Target,
  behaviours: readonly Behaviour[],
  { lanes = 8, onOutcome = () => {} }: RunOptions = {},
): Promise<readonly Outcome[]> {
  const missing = await missingNeeds(target, new Set(behaviours.flatMap(({ needs }) => needs)));
  const outcomes = new Map<Behaviour, Outcome>();
  const waiting = behaviours.values();
  const lane = async (): Promise<void> => {
    for (const behaviour of waiting) {
      const lacking = behaviour.needs.find((need) => missing.has(need));
      const outcome: Outcome =
        lacking === undefined
          ? await outcomeOf(target, behaviour)
          : { behaviour, result: 'skipped', subject: lacking };
      outcomes.set(behaviour, outcome);
      onOutcome(outcome);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return behaviours.flatMap((behaviour) => outcomes.get(behaviour) ?? []);
}

async function outcomeOf(target: Target, behaviour: Behaviour): Promise<Outcome> {
  try {
    await inOwnNamespace(target, (session) => behaviour.check(session));
    return { behaviour, result: 'same' };
  } catch (error) {
    if (error instanceof Difference) return { behaviour, result: 'different', ...partsOf(error) };
    if (error instanceof Undecided) return { behaviour, result: 'undecided', ...partsOf(error) };
    return {
      behaviour,
      result: 'broken',
      subject: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

function partsOf({ subject, mismatches }: Difference | Undecided) {
  return { subject, mismatches };
}

/** Creates a namespace, and deletes it afterwards. */
async function inOwnNamespace(target: Target, use: (session: Session) => Promise<void>): Promise<void> {
  const request = new Call(target, 'POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'parity-' } },
  });
  const session = new Session(target, (await request.answers(201)).at('metadata.name'));
  try {
    // Without the account the apiserver rejects pods.
    await session.get(serviceAccounts, 'default').becomes({ metadata: present });
    await use(session);
  } finally {
    await session.cleanUp();
    await session.delete(namespaces, session.namespace).sent();
  }
}

/** A new cluster may still be starting. */
const STARTS_WITHIN = { seconds: 60 };

/** Returns the needs that the cluster does not satisfy. */
async function missingNeeds(target: Target, needs: ReadonlySet<Need>): Promise<ReadonlySet<Need>> {
  const session = new Session(target, 'kube-system');
  const satisfied: { readonly [need in Need]: () => Promise<unknown> } = {
    'a node': () => session.list(nodes).becomes({ items: has(SCHEDULABLE) }, STARTS_WITHIN),
    names: () =>
      session
        .list(endpointSlices, { labelSelector: 'kubernetes.io/service-name=kube-dns' })
        .becomes({ items: has({ endpoints: has({ conditions: { ready: true } }) }) }, STARTS_WITHIN),
    streams: async () => {
      if (!target.exec) throw new Undecided('exec', []);
    },
  };
  const missing = await Promise.all(
    [...needs].map((need) =>
      satisfied[need]().then(
        () => [],
        (error: unknown) => {
          if (error instanceof Undecided) return [need];
          throw error;
        },
      ),
    ),
  );
  return new Set(missing.flat());
}

const SCHEDULABLE = {
  spec: { taints: lacks({ effect: /^No(Schedule|Execute)$/ }) },
  status: { conditions: has({ type: 'Ready', status: 'True' }) },
};

/** Returns the version of the cluster, `v1.36.3`. */
export async function versionOf(target: Target): Promise<string> {
  return (await new Call(target, 'GET', '/version').answers(200)).at('gitVersion');
}
