import fc from 'fast-check';
import type { AnswerPlan, Breakage, HookPlan, PatchPlan, RulePlan } from '../scenario/hooks.ts';
import { maybe, partial, selectors } from './objects.ts';

const RESOURCES = [
  ...['pods', 'configmaps', 'services', 'namespaces', 'deployments', 'nodes', 'persistentvolumeclaims'],
  ...[
    '*',
    '*/*',
    'pods/*',
    'pods/status',
    'pods/binding',
    'pods/exec',
    'pods/eviction',
    '*/status',
    '*/scale',
    'deployments/scale',
  ],
  'validatingwebhookconfigurations',
];

/** Returns the resources of a rule without those that another one covers, which upstream rejects. */
function distinct(resources: readonly string[]): readonly string[] {
  const covers = (wide: string, narrow: string): boolean => {
    const [plural = '', sub = ''] = wide.split('/');
    const [ownPlural = '', own = ''] = narrow.split('/');
    const isWide = plural === '*' || sub === '*';
    return (
      isWide &&
      (plural === '*' || plural === ownPlural) &&
      (sub === '*' ? wide === '*/*' || own !== '' : sub === own)
    );
  };
  return resources.filter((each) => !resources.some((other) => other !== each && covers(other, each)));
}

export const rules: fc.Arbitrary<RulePlan> = partial<RulePlan>({
  operations: fc.oneof(
    fc.constant(['*']),
    fc.subarray(['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], { minLength: 1 }),
  ),
  resources: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(['*'], ['*/*'], ['pods'], ['pods/*'], ['pods', 'configmaps']) },
    {
      weight: 3,
      arbitrary: fc.uniqueArray(fc.constantFrom(...RESOURCES), { minLength: 1, maxLength: 3 }).map(distinct),
    },
  ),
  groups: maybe(fc.constantFrom([''], ['apps'], ['', 'apps'], ['*'])),
  versions: maybe(fc.constantFrom(['v2'], ['v2'], ['v2', 'v1'])),
  scope: maybe(fc.constantFrom('*' as const, 'Namespaced' as const, 'Cluster' as const)),
});

const EVERYTHING: RulePlan = { operations: ['*'], resources: ['*/*'] };
/** A rule that most requests match. */
export const wideRules: fc.Arbitrary<readonly RulePlan[]> = fc.constantFrom<readonly RulePlan[]>(
  [EVERYTHING],
  [{ operations: ['CREATE', 'UPDATE'], resources: ['*'] }],
  [{ operations: ['CREATE'], resources: ['pods', 'configmaps'] }],
  [{ operations: ['*'], resources: ['pods/*', 'configmaps/*'] }],
);

const late = maybe(fc.constantFrom(1, 20, 700));

export const patches: fc.Arbitrary<PatchPlan> = fc.oneof(
  fc.constantFrom<PatchPlan>(
    { to: 'label', key: 'a', value: 'x' },
    { to: 'label', key: 'b', value: 'y' },
    { to: 'unlabel', key: 'a' },
    { to: 'flip', key: 'a' },
    { to: 'count' },
    { to: 'inject' },
    { to: 'intolerance' },
    { to: 'undefault' },
    { to: 'same' },
    { to: 'same' },
    { to: 'nothing' },
  ),
);

/** Answers that change labels. */
export const relabelling: fc.Arbitrary<AnswerPlan> = fc
  .constantFrom<PatchPlan>(
    { to: 'label', key: 'a', value: 'x' },
    { to: 'label', key: 'b', value: 'y' },
    { to: 'unlabel', key: 'a' },
    { to: 'flip', key: 'a' },
  )
  .map((patch) => ({ is: 'patch', patch }));

const misfits = fc.constantFrom<PatchPlan>({ to: 'misfit' }, { to: 'nonsense' });

/** Answers that give plugins work in the second run. */
export const injecting: fc.Arbitrary<AnswerPlan> = fc
  .constantFrom<PatchPlan>({ to: 'inject' }, { to: 'inject' }, { to: 'intolerance' })
  .map((patch) => ({ is: 'patch', patch }));

export const patching: fc.Arbitrary<AnswerPlan> = fc
  .record({ patch: patches, afterMs: late, warning: maybe(fc.constant('patched')) })
  .map(({ patch, afterMs, warning }) => ({
    is: 'patch',
    patch,
    ...(afterMs ? { afterMs } : {}),
    ...(warning ? { warning } : {}),
  }));

export const allowing: fc.Arbitrary<AnswerPlan> = fc
  .record({ afterMs: late, warning: maybe(fc.constant('be careful')) })
  .map(({ afterMs, warning }) => ({
    is: 'allow',
    ...(afterMs ? { afterMs } : {}),
    ...(warning ? { warning } : {}),
  }));

export const denying: fc.Arbitrary<AnswerPlan> = fc
  .record({
    code: maybe(fc.constantFrom(200, 399, 400, 403, 422, 500)),
    message: maybe(fc.constant('no')),
    reason: maybe(fc.constantFrom('Forbidden', 'Invalid')),
    isBare: maybe(fc.constant(true)),
    afterMs: late,
    warning: maybe(fc.constant('not so')),
  })
  .map(({ code, message, reason, afterMs, isBare, warning }) => ({
    is: 'deny',
    ...(isBare ? { isBare } : {}),
    ...(code ? { code } : {}),
    ...(message ? { message } : {}),
    ...(reason ? { reason } : {}),
    ...(afterMs ? { afterMs } : {}),
    ...(warning ? { warning } : {}),
  }));

const BREAKAGES: readonly Breakage[] = [
  ...([
    'wrong uid',
    'no uid',
    'empty uid',
    'no response',
    'wrong kind',
    'wrong version',
    'text',
    'null',
    'status 500',
  ] as const),
  ...([
    'no response',
    'no response',
    'no patch type',
    'only patch type',
    'another patch type',
    'no JSON',
    'another version',
    'another version',
  ] as const),
];

export const breaking = (phase: HookPlan['phase']): fc.Arbitrary<AnswerPlan> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom<Breakage>(
          ...BREAKAGES,
          ...(phase === 'validating' ? (['unasked patch', 'unasked patch', 'unasked patch'] as const) : []),
        )
        .map((how): AnswerPlan => ({ is: 'broken', how })),
    },
    ...(phase === 'mutating'
      ? [{ weight: 1, arbitrary: misfits.map((patch): AnswerPlan => ({ is: 'patch', patch })) }]
      : []),
  );

/** Options of {@link hooks}. */
interface HookOptions {
  readonly phases?: readonly HookPlan['phase'][];
  readonly rules?: fc.Arbitrary<readonly RulePlan[]>;
  /** The answers of a phase. */
  answers(phase: HookPlan['phase']): fc.Arbitrary<AnswerPlan>;
  readonly timeouts?: fc.Arbitrary<number | undefined>;
  /**
   * Which selectors they have: each may have any, each has both, each has one of the object only, or none has any.
   *
   * @defaultValue some
   */
  readonly selectors?: 'some' | 'both' | 'object' | 'none';
  readonly sideEffects?: fc.Arbitrary<HookPlan['sideEffects']>;
  readonly min?: number;
  readonly max?: number;
}

/** A name is unique in its configuration. */
const uniquelyNamed = (all: readonly HookPlan[]): readonly HookPlan[] =>
  all.map(({ name, ...hook }, i) => {
    const isTaken = all
      .slice(0, i)
      .some((each) => each.name === name && each.phase === hook.phase && each.config === hook.config);
    return name === undefined || isTaken ? hook : { ...hook, name };
  });

/** Webhooks in up to three configurations. */
export function hooks(options: HookOptions): fc.Arbitrary<readonly HookPlan[]> {
  const { phases = ['mutating', 'validating'], min = 1, max = 3, selectors: kept = 'some' } = options;
  const none = fc.constant(undefined);
  const own = { some: maybe(selectors), both: selectors, object: selectors, none }[kept];
  const one = fc.constantFrom(...phases).chain((phase) =>
    partial<HookPlan>({
      phase: fc.constant(phase),
      config: fc.constantFrom('config-b', 'config-a', 'config-c'),
      name: maybe(fc.constant('shared.example.com'), 3),
      rules: options.rules ?? fc.array(rules, { minLength: 1, maxLength: 2 }),
      failurePolicy: fc.constantFrom('Fail' as const, 'Ignore' as const),
      namespaceSelector: kept === 'object' ? none : own,
      objectSelector: own,
      timeoutSeconds: options.timeouts ?? none,
      reinvocationPolicy:
        phase === 'mutating' ? fc.constantFrom('Never' as const, 'IfNeeded' as const) : none,
      sideEffects:
        options.sideEffects ??
        maybe(
          fc.constantFrom(
            'NoneOnDryRun' as const,
            'NoneOnDryRun' as const,
            'NoneOnDryRun' as const,
            'Some' as const,
            'Unknown' as const,
            'Unknown' as const,
            'Unknown' as const,
          ),
          2,
        ),
      answer: options.answers(phase),
    }),
  );
  return fc.array(one, { minLength: min, maxLength: max }).map(uniquelyNamed);
}
