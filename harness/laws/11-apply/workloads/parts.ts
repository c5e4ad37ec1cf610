import fc from 'fast-check';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/index.ts';
import type { Writers } from '../scenario/fields.ts';
import type {
  Act,
  ApplyPlan,
  ApplyScenario,
  DocumentPlan,
  ObjectPlan,
  Operation,
  OptionsPlan,
  Step,
  Target,
} from '../scenario/index.ts';
import { type FieldChoices, type KindName, kinds } from '../scenario/kinds.ts';

/** Kinds, weighted by the number of their rules. */
export const anyKind: fc.Arbitrary<KindName> = fc.constantFrom<KindName>(
  ...(['deployment', 'deployment', 'deployment', 'deployment', 'widget', 'widget', 'widget'] as const),
  ...(['service', 'service', 'configmap', 'configmap', 'serviceaccount', 'namespace', 'definition'] as const),
);

/** Returns the fields of a kind that a group of clients writes. */
const fieldsOf = (kind: KindName, by: readonly Writers[]): string[] =>
  Object.keys(kinds[kind].fields).filter((field) => by.includes(kinds[kind].fields[field]?.by ?? 'others'));

/** Generates values for some fields of a kind. 0 means no value. */
export function choices(
  kind: KindName,
  max: number,
  by: readonly Writers[] = ['manifests'],
  min = 0,
): fc.Arbitrary<FieldChoices> {
  const fields = fieldsOf(kind, by);
  const one = fc
    .constantFrom(...fields)
    .chain((field) =>
      fc.nat({ max: kinds[kind].fields[field]?.values.length ?? 0 }).map((value) => [field, value] as const),
    );
  return fc.array(one, { minLength: min, maxLength: max }).map((pairs) => Object.fromEntries(pairs));
}

/** Names that differ by kind and place. */
export const names = fc.constantFrom('web', 'web', 'api');

/** Generates an object with many fields. */
export function objects(
  kind: KindName,
  options: { readonly max?: number; readonly name?: string; readonly by?: readonly Writers[] } = {},
): fc.Arbitrary<ObjectPlan> {
  const { max = 8, name = 'web', by } = options;
  return choices(kind, max, by, Math.min(max, 2)).map((fields) => ({ kind, name, fields }));
}

/** Generates the next manifest of an object: a few fields change, disappear or come, or none. */
export function edited(plan: ObjectPlan, by?: readonly Writers[]): fc.Arbitrary<ObjectPlan> {
  const own = Object.keys(plan.fields).filter((field) => (plan.fields[field] ?? 0) > 0);
  const removal =
    own.length === 0
      ? fc.constant<FieldChoices>({})
      : fc
          .subarray(own, { maxLength: Math.min(2, own.length) })
          .map((gone) => Object.fromEntries(gone.map((field) => [field, 0])));
  return fc
    .tuple(choices(plan.kind, 2, by), removal, fc.nat({ max: 4 }))
    .map(([changes, gone, how]) =>
      how === 0 ? plan : { ...plan, fields: { ...plan.fields, ...changes, ...gone } },
    );
}

export const target = ({ kind, name, namespace }: ObjectPlan): Target => ({
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
});

/** Generates an act of another client on an object of a manifest. */
export function acts(plan: ObjectPlan, by?: readonly Writers[]): fc.Arbitrary<Act> {
  const { kind } = plan;
  const to = target(plan);
  const edit = (writers: readonly Writers[], removes: boolean) =>
    fc
      .constantFrom(...fieldsOf(kind, writers))
      .chain((field) =>
        fc
          .integer({ min: removes ? 0 : 1, max: kinds[kind].fields[field]?.values.length ?? 1 })
          .map((value): Act => ({ act: 'edit', target: to, field, value })),
      );
  const own = Object.keys(plan.fields);
  const drift =
    own.length === 0
      ? edit(['manifests'], true)
      : fc
          .tuple(fc.constantFrom(...own), fc.nat({ max: 3 }))
          .map(([field, value]): Act => ({ act: 'edit', target: to, field, value }));
  return fc.oneof(
    { weight: 4, arbitrary: edit(['others'], false) },
    { weight: 2, arbitrary: edit(['others'], true) },
    { weight: 5, arbitrary: drift },
    { weight: 2, arbitrary: edit(['manifests'], true) },
    { weight: 3, arbitrary: edited(plan, by).map((object): Act => ({ act: 'apply', object })) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...fieldsOf(kind, ['others']))
        .map(
          (field): Act => ({ act: 'server-side apply', target: to, field, value: 1, manager: 'operator' }),
        ),
    },
    {
      weight: kind === 'deployment' ? 2 : 0,
      arbitrary: fc.constantFrom(2, 5).map((replicas): Act => ({ act: 'scale', target: to, replicas })),
    },
  );
}

/** Generates the end of an object, or its beginning without an annotation. */
export function turns(plan: ObjectPlan): fc.Arbitrary<Act> {
  const to = target(plan);
  return fc.oneof(
    fc.constant<Act>({ act: 'delete', target: to }),
    fc.constant<Act>({ act: 'forget', target: to }),
    fc.constantFrom('{', '[]').map((text): Act => ({ act: 'corrupt', target: to, text })),
    edited(plan).map((object): Act => ({ act: 'replace', object })),
    edited(plan).map((object): Act => ({ act: 'create', object })),
  );
}

/** Returns a step of another client. */
export const act = (one: Act, afterMs = 1): Step => ({ afterMs, do: 'act', ...one }) as Step;

/** Returns the step of an apply. */
export function apply(
  documents: readonly DocumentPlan[],
  options: OptionsPlan = {},
  more: Pick<ApplyPlan, 'during' | 'faults'> = {},
): Step {
  const hasOptions = Object.keys(options).length > 0;
  return { afterMs: 100, do: 'apply', documents, ...(hasOptions && { options }), ...more };
}

/** Generates scenarios with these steps. */
export function scenariosOf(
  steps: fc.Arbitrary<readonly (Operation & { readonly afterMs: number })[]>,
  more: { readonly tracksOwners?: boolean } = {},
): fc.Arbitrary<ApplyScenario> {
  const scenarios = fc
    .record({
      seed: seeds,
      schedule: schedules,
      latencyMs: fc.constantFrom(1, 1, 20),
      replicas: fc.constantFrom(1, 2),
      steps,
    })
    .map((scenario): ApplyScenario => ({ ...scenario, ...more }));
  return inWords(scenarios, describeScenario);
}
