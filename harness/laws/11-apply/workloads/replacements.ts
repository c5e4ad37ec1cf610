import fc from 'fast-check';
import type { FaultReason, ObjectPlan, RequestFault, Step } from '../scenario/index.ts';
import type { FieldChoices, KindName } from '../scenario/kinds.ts';
import { interruption } from './faults.ts';
import { apply, objects, target } from './parts.ts';

/** A null in the manifest of a new object. */
const NULLS: Readonly<Partial<Record<KindName, FieldChoices>>> = {
  configmap: { 'data null': 1 },
  deployment: { replicas: 4 },
  widget: { 'nested null': 1 },
};

const REASONS: readonly FaultReason[] = ['Forbidden', 'InternalError', 'lost before'];

/** `--force` replaces an object: its delete or a read fails, the wait is too long, or the new object has nulls. */
export const failedReplacements: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom<KindName>('configmap', 'deployment', 'widget')
  .chain((kind) => objects(kind, { max: 3 }))
  .chain((plan) =>
    fc
      .tuple(
        fc.constantFrom('timeout', 'delete fails', 'timeout', 'read fails', 'timeout', 'nulls'),
        fc.constantFrom(...REASONS),
        fc.nat({ max: 5 }),
        fc.constantFrom(500, 1_500, 2_000, 2_700),
      )
      .map(([problem, reason, waits, timeoutMs]): readonly Step[] => {
        const isHeld = problem === 'read fails' || problem === 'timeout';
        const base: FieldChoices = { ...plan.fields, 'finalizer a': 0, 'finalizer b': isHeld ? 1 : 0 };
        const old: ObjectPlan = { ...plan, fields: base };
        const nulls = problem === 'nulls' ? NULLS[plan.kind] : {};
        const changed: ObjectPlan = { ...plan, fields: { ...base, 'label set': 2, ...nulls } };
        const faults: RequestFault[] = [{ verb: 'write', skip: 0, times: 9, reason: 'Invalid' }];
        if (problem === 'delete fails' && reason !== 'lost before')
          faults.push({ verb: 'delete', skip: 0, times: 9, reason });
        if (problem === 'read fails') faults.push({ verb: 'get', skip: 1 + (waits % 3), times: 1, reason });
        const finalized = interruption(
          { act: 'finalize', target: target(plan) },
          'before',
          'get',
          (problem === 'read fails' ? 4 : 2) + waits,
        );
        return [
          apply([{ ...old, fields: { ...old.fields, 'label set': 1 } }]),
          apply(
            [changed],
            { force: true, ...(problem === 'timeout' && { timeoutMs }) },
            { faults, ...(isHeld && { during: [finalized] }) },
          ),
        ];
      }),
  );
