import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { ApplyScenario, ObjectPlan, Step } from '../scenario/index.ts';
import { broken, many, named } from './documents.ts';
import { failing, forced, races, storms } from './faults.ts';
import { alternatives, details, guards, lists, newNulls, nulls, overlaps } from './merges.ts';
import { act, acts, anyKind, apply, edited, objects, scenariosOf, turns } from './parts.ts';
import { failedReplacements } from './replacements.ts';

/** Several manifests of one object, one after the other, and acts of others between them. */
const history = (plan: ObjectPlan): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      edited(plan),
      edited(plan),
      fc.array(acts(plan), { maxLength: 2 }),
      fc.array(acts(plan), { maxLength: 2 }),
    )
    .chain(([second, third, before, after]) =>
      fc.constant([
        apply([plan]),
        ...before.map((each) => act(each)),
        apply([second]),
        ...after.map((each) => act(each)),
        apply([third]),
        apply([third]),
      ]),
    );

/** An object begins without the annotation, disappears, or comes back between two applies. */
const turning = (plan: ObjectPlan): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(turns(plan), edited(plan), fc.boolean(), edited(plan))
    .map(([turn, second, isFirst, third]) => [
      ...(isFirst ? [] : [apply([plan])]),
      act(turn),
      apply([second]),
      apply([third]),
    ]);

/** The same manifest again, in another notation, after acts that concern no field of it. */
const unchanged = (plan: ObjectPlan): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(fc.array(acts({ ...plan, fields: {} }), { maxLength: 1 }), fc.boolean())
    .map(([others, turned]) => [
      apply([plan]),
      ...others.map((each) => act(each)),
      apply([plan]),
      apply([turned ? { ...plan, keysReversed: true } : plan]),
    ]);

/** A dry run before and after each change. */
const dryRuns = (plan: ObjectPlan): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      edited(plan),
      fc.constantFrom('client' as const, 'server' as const),
      fc.constantFrom(undefined, 'Invalid' as const, 'Conflict' as const),
      fc.boolean(),
    )
    .map(([second, dryRun, refusal, forced]): readonly Step[] => {
      const force = forced && dryRun === 'client' ? { force: true } : {};
      const times = refusal === 'Conflict' ? 2 : 9;
      const faults = refusal ? [{ verb: 'write', skip: 0, times, reason: refusal } as const] : [];
      return [
        apply([plan], { dryRun }),
        apply([plan]),
        apply([second], { dryRun, ...force }, { faults }),
        apply([second]),
      ];
    });

/** An object that is being deleted. */
const ending = (plan: ObjectPlan): fc.Arbitrary<readonly Step[]> =>
  fc.tuple(edited(plan), fc.boolean()).map(([second, isLate]) => {
    const held = { ...plan, fields: { ...plan.fields, 'finalizer a': 1 } };
    const next = {
      ...second,
      // A change, so that a late deletion meets a write.
      fields: { ...second.fields, 'finalizer a': 1, ...(isLate && { note: plan.fields.note === 1 ? 2 : 1 }) },
    };
    const target = { kind: plan.kind, name: plan.name };
    return [
      apply([held]),
      ...(isLate ? [] : [act({ act: 'delete', target })]),
      apply(
        [next],
        {},
        isLate ? { during: [{ act: 'delete', target, when: 'before', verb: 'write', skip: 0 }] } : {},
      ),
      act({ act: 'finalize', target }),
      apply([next]),
    ];
  });

/** Port 53 over UDP and over TCP, which have one merge key. */
const twins: fc.Arbitrary<readonly Step[]> = objects('service', { by: ['twins', 'manifests'] }).chain(
  (plan) =>
    edited(plan, ['twins']).map((second) => {
      const both = { ...plan, fields: { ...plan.fields, 'udp 53': 1, 'tcp 53': 1 } };
      return [apply([both]), apply([both]), apply([second])];
    }),
);

const ofAnyKind = (steps: (plan: ObjectPlan) => fc.Arbitrary<readonly Step[]>, max = 8) =>
  scenariosOf(anyKind.chain((kind) => objects(kind, { max }).chain(steps)));

/** Scenarios of the core laws. */
export const workloads: readonly Workload<ApplyScenario>[] = [
  { name: 'manifests that change', scenarios: ofAnyKind(history), runs: 60 },
  { name: 'lists with items of others', scenarios: scenariosOf(lists), runs: 36 },
  { name: 'values that exclude each other', scenarios: scenariosOf(alternatives), runs: 12 },
  { name: 'nulls in new lists', scenarios: scenariosOf(newNulls), runs: 4 },
  { name: 'nulls', scenarios: scenariosOf(nulls), runs: 10 },
  { name: 'values that differ in a detail', scenarios: scenariosOf(details), runs: 16 },
  { name: 'manifests of another version', scenarios: scenariosOf(guards), runs: 6 },
  { name: 'fields that change at once', scenarios: scenariosOf(overlaps), runs: 30 },
  { name: 'objects that come and go', scenarios: ofAnyKind(turning, 5), runs: 30 },
  { name: 'unchanged manifests', scenarios: ofAnyKind(unchanged, 12), runs: 22 },
  { name: 'changes at once', scenarios: ofAnyKind(races, 5), runs: 36 },
  { name: 'conflicts', scenarios: ofAnyKind(storms, 5), runs: 32 },
  { name: 'requests that fail', scenarios: ofAnyKind(failing, 4), runs: 100 },
  { name: 'forced replacements', scenarios: scenariosOf(forced), runs: 44 },
  { name: 'forced replacements that fail', scenarios: scenariosOf(failedReplacements), runs: 24 },
  { name: 'dry runs', scenarios: ofAnyKind(dryRuns, 5), runs: 26 },
  { name: 'objects that are being deleted', scenarios: ofAnyKind(ending, 4), runs: 12 },
  { name: 'many documents', scenarios: scenariosOf(many), runs: 24 },
  { name: 'broken documents', scenarios: scenariosOf(broken), runs: 20 },
  { name: 'namespaces', scenarios: scenariosOf(named), runs: 18 },
  { name: 'ports with one number', scenarios: scenariosOf(twins), runs: 4 },
];
