import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The processes of the controllers, as faults, trace and journal name them. */
export const ACCOUNTS = 'serviceaccount-controller';
export const PUBLISHER = 'root-ca-certificate-publisher-controller';
export const TOKENS = 'serviceaccount-token-controller';
export const PROCESSES = [ACCOUNTS, PUBLISHER, TOKENS] as const;

/** The namespaces of a scenario. The first one exists before the controllers. */
export const NAMESPACES = ['blue', 'green'] as const;
export const ACCOUNT_NAMES = ['builder', 'default'] as const;
export const SECRET_NAMES = ['key', 'spare'] as const;

type NamespaceName = (typeof NAMESPACES)[number];
type AccountName = (typeof ACCOUNT_NAMES)[number];
type SecretName = (typeof SECRET_NAMES)[number];

/** A Secret for a token, as its user writes it. */
export interface NewToken {
  readonly name: SecretName;
  readonly account: AccountName;
  /** The uid of the account in the annotation. `stale`: that of the previous account of the name. */
  readonly uid: 'none' | 'current' | 'stale';
  /** The data that it already has. */
  readonly has: 'nothing' | 'extra' | 'authority' | 'token';
}

/** An operation of a user. */
export type Operation =
  | { readonly do: 'create' | 'terminate' | 'purge'; readonly in: NamespaceName }
  | { readonly do: 'join' | 'leave' | 'replace'; readonly in: NamespaceName; readonly account: AccountName }
  | { readonly do: 'token'; readonly in: NamespaceName; readonly token: NewToken }
  | { readonly do: 'drop'; readonly in: NamespaceName; readonly secret: SecretName }
  | { readonly do: 'spoil'; readonly in: NamespaceName; readonly secret: SecretName; readonly key: Spoilt }
  | { readonly do: 'edit'; readonly in: NamespaceName; readonly what: Edit };

/** The data that a user removes from a Secret, or changes. */
type Spoilt = 'token' | 'ca.crt' | 'namespace';

/** A change of the published certificate. */
type Edit = 'certificate' | 'more' | 'space' | 'description' | 'label' | 'delete';

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** A scenario for the controllers. */
export interface ServiceAccountScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  readonly steps: readonly Step[];
}

const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });

const name = fc.constantFrom<NamespaceName>('blue', 'blue', 'green');
const account = fc.constantFrom<AccountName>('builder', 'builder', 'default');
const secret = fc.constantFrom(...SECRET_NAMES);
const token: fc.Arbitrary<NewToken> = fc.record({
  name: secret,
  account,
  uid: fc.constantFrom('none', 'none', 'current', 'stale'),
  has: fc.constantFrom('nothing', 'nothing', 'extra', 'authority', 'token'),
});
const edits: fc.Arbitrary<Edit> = fc.constantFrom(
  'certificate',
  'more',
  'space',
  'description',
  'label',
  'delete',
);

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('create', 'terminate', 'purge'), in: name }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('join', 'join', 'leave', 'replace'), in: name, account }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('token' as const), in: name, token }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), in: name, secret }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('spoil' as const),
      in: name,
      secret,
      key: fc.constantFrom('token', 'ca.crt', 'namespace'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), in: name, what: edits }) },
);

const faultsOf = (process: string): fc.Arbitrary<Fault> =>
  fc.oneof({ weight: 3, arbitrary: apiFaults(process) }, { weight: 2, arbitrary: crashes(process) });
const faults = fc.constantFrom(...PROCESSES).chain(faultsOf);

/** The requests that each controller sends. */
const SENT = [
  [ACCOUNTS, 'create'],
  [PUBLISHER, 'create'],
  [PUBLISHER, 'update'],
  [TOKENS, 'get'],
  [TOKENS, 'update'],
  [TOKENS, 'delete'],
] as const;

/** The next requests of a verb fail, or the answer of one is lost. */
const lost = fc
  .tuple(fc.constantFrom(...SENT), fc.constantFrom('refused', 'refused', 'performed', 'not performed'))
  .map(
    ([[process, verb], how]): Fault =>
      how === 'refused'
        ? { fault: 'refuse', process, reason: 'InternalError', requests: 2, verb }
        : { fault: 'time-out', process, performed: how === 'performed', verb },
  );

/** A namespace is created or changed, and a request of a controller fails. */
const failing = fc
  .tuple(fc.array(lost, { minLength: 1, maxLength: 2 }), token, edits)
  .map(([all, each, what]) => [
    at({ do: 'join', in: 'blue', account: each.account }, 500),
    ...all.map((fault) => strike(fault)),
    at({ do: 'create', in: 'green' }, 500),
    at({ do: 'token', in: 'blue', token: each }),
    at({ do: 'edit', in: 'blue', what }),
    at({ do: 'leave', in: 'blue', account: each.account }, 90_000),
  ]);

/** A Secret comes directly after its account, and the cache of accounts is late. */
const early = fc
  .tuple(token, fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 1_000, max: 5_000 }), fc.boolean())
  .map(([each, pauseMs, forMs, wasThere]) => [
    ...(wasThere ? [at({ do: 'join', in: 'blue', account: 'builder' })] : []),
    ...(wasThere ? [at({ do: 'leave', in: 'blue', account: 'builder' }, 500)] : []),
    strike({ fault: 'delay-watches', process: TOKENS, forMs, resource: 'serviceaccounts' }, 500),
    at({ do: 'join', in: 'blue', account: 'builder' }),
    at({ do: 'token', in: 'blue', token: { ...each, account: 'builder' } }, pauseMs),
    // The delay lasts until then.
    at({ do: 'create', in: 'green' }, 2_000),
  ]);

/** An account is replaced while it has tokens, and a token has a successor of its name. */
const replaced = fc
  .tuple(
    token,
    token,
    fc.constantFrom(undefined, 'secrets', 'serviceaccounts'),
    fc.integer({ min: 0, max: 3_000 }),
    fc.boolean(),
  )
  .map(([first, second, resource, forMs, isDropped]) => [
    at({ do: 'join', in: 'blue', account: 'builder' }, 500),
    at({ do: 'token', in: 'blue', token: { ...first, name: 'key', account: 'builder', uid: 'none' } }, 100),
    ...(resource === undefined
      ? []
      : [strike({ fault: 'delay-watches', process: TOKENS, forMs: forMs + 1, resource }, 1_000)]),
    at({ do: 'replace', in: 'blue', account: 'builder' }, resource === undefined ? 1_000 : 0),
    ...(isDropped ? [at({ do: 'drop', in: 'blue', secret: 'key' })] : []),
    at({
      do: 'token',
      in: 'blue',
      token: {
        ...second,
        name: isDropped ? 'key' : 'spare',
        account: isDropped ? 'default' : 'builder',
        uid: 'none',
      },
    }),
    at({ do: 'create', in: 'green' }, 4_000),
  ]);

/** A namespace terminates, and its defaults are deleted; the caches may be late. */
const ending = fc
  .tuple(
    fc.constantFrom(undefined, ACCOUNTS, ACCOUNTS, PUBLISHER),
    fc.integer({ min: 20_000, max: 90_000 }),
    fc.boolean(),
    edits,
  )
  .map(([process, forMs, isPurged, what]) => [
    at({ do: 'edit', in: 'blue', what }, 500),
    ...(process
      ? [strike({ fault: 'delay-watches', process, forMs, resource: 'namespaces' } as const, 2_000)]
      : []),
    at({ do: 'terminate', in: 'blue' }, process ? 0 : 2_000),
    at({ do: 'leave', in: 'blue', account: 'default' }, 10),
    at({ do: 'edit', in: 'blue', what: 'delete' }),
    ...(isPurged && process !== ACCOUNTS ? [at({ do: 'purge', in: 'blue' })] : []),
    at({ do: 'create', in: 'green' }, 60_000),
  ]);

/** No fault: a new namespace, edits of the certificate and of a Secret, and deletions. */
const edited = fc
  .array(
    fc.oneof(
      fc.record({ do: fc.constant('edit' as const), in: fc.constant('blue' as const), what: edits }),
      fc.record({
        do: fc.constant('spoil' as const),
        in: fc.constant('blue' as const),
        secret: fc.constant('key' as const),
        key: fc.constantFrom('token', 'ca.crt', 'namespace'),
      }),
    ),
    { minLength: 2, maxLength: 5 },
  )
  .map((all): readonly Step[] => [
    at({ do: 'join', in: 'blue', account: 'builder' }, 500),
    at({ do: 'token', in: 'blue', token: { name: 'key', account: 'builder', uid: 'none', has: 'extra' } }),
    at({ do: 'create', in: 'green' }, 500),
    ...all.map((operation) => at(operation, 300)),
    at({ do: 'drop', in: 'blue', secret: 'key' }, 300),
    at({ do: 'leave', in: 'blue', account: 'default' }),
  ]);

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
): fc.Arbitrary<ServiceAccountScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    steps: pacedSteps(group, { minLength: 1, maxLength }).map(endurable),
  });
  return inWords(all, describeScenario);
}

/** The longest time that no apiserver may answer, in ms: ten retries take longer. */
const OUTAGE_MS = 4_000;

/**
 * Leaves out the faults that let a key of the token controller fail more than ten times: upstream gives up then, and
 * nobody repairs its Secret.
 */
function endurable(steps: readonly Step[]): readonly Step[] {
  let failures = 0;
  return steps.filter((step) => {
    if (!('strike' in step)) return true;
    const { strike: fault } = step;
    // The token controller waits for the event of the other write, which an invented conflict lacks.
    if (fault.fault === 'refuse' && fault.reason === 'Conflict' && fault.process === TOKENS) return false;
    if (fault.fault === 'restart-apiserver') return fault.forMs <= OUTAGE_MS && failures++ === 0;
    if (fault.fault === 'refuse') failures += fault.requests;
    else if (fault.fault === 'time-out') failures++;
    else return true;
    return failures <= 8;
  });
}

const any = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** Scenarios of namespaces, accounts and Secrets. */
export function scenarios(): readonly Workload<ServiceAccountScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(any, 14), runs: 16 },
    { name: 'requests that fail', scenarios: scenariosWith(failing, 1), runs: 24 },
    { name: 'a Secret directly after its account', scenarios: scenariosWith(early, 1), runs: 12 },
    { name: 'an account that is replaced', scenarios: scenariosWith(replaced, 1), runs: 24 },
    { name: 'a namespace that ends', scenarios: scenariosWith(ending, 1), runs: 14 },
    { name: 'edits', scenarios: scenariosWith(edited, 1), runs: 10 },
  ];
}

function describeScenario(scenario: ServiceAccountScenario): readonly string[] {
  const { steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : say(step))),
    ...sayHealing(steps),
  ];
}

function say(operation: Operation): string {
  const namespace = operation.in;
  switch (operation.do) {
    case 'create':
      return `create namespace ${namespace}, if it does not exist`;
    case 'terminate':
      return `delete namespace ${namespace}`;
    case 'purge':
      return `the content of the deleted namespace ${namespace} is removed, and the namespace`;
    case 'join':
      return `create account ${operation.account} in ${namespace}, if it does not exist`;
    case 'leave':
      return `delete account ${operation.account} in ${namespace}`;
    case 'replace':
      return `delete account ${operation.account} in ${namespace}, and create it again`;
    case 'token': {
      const { name: its, account: of, uid, has } = operation.token;
      return `create Secret ${its} in ${namespace} for account ${of}, uid: ${uid}, data: ${has}`;
    }
    case 'drop':
      return `delete Secret ${operation.secret} in ${namespace}`;
    case 'spoil':
      return `change ${operation.key} of Secret ${operation.secret} in ${namespace}`;
    case 'edit':
      return `edit the certificate in ${namespace}: ${operation.what}`;
  }
}
