import { describe, expect, test } from 'vitest';
import type { Pod } from '../api/objects.ts';
import { mergePodStatus, podStatusPatch } from './status-patch.ts';

const metadata = { uid: 'u1' } as Pod['metadata'];
const condition = (type: string, status: string, more = {}) => ({ type, status, ...more });

describe('The patch of a status', () => {
  test('is undefined if nothing changes; absent, null and empty fields are equal', () => {
    const status = {
      phase: 'Running',
      message: '',
      conditions: [condition('Ready', 'True')],
    } as const;
    const before = {
      phase: 'Running',
      conditions: [condition('Ready', 'True', { lastProbeTime: null })],
    } as unknown as Pod['status'];
    expect(
      podStatusPatch({ metadata, status: before }, { ...status, conditions: [...status.conditions] }),
    ).toBe(undefined);
  });

  test('applies only to the pod with this UID', () => {
    const patch = podStatusPatch({ metadata, status: {} }, { phase: 'Running' });
    expect(patch).toEqual({ metadata: { uid: 'u1' }, status: { phase: 'Running' } });
  });

  test('removes absent fields', () => {
    const before = {
      phase: 'Pending',
      message: 'wait',
      conditions: [condition('Ready', 'False', { reason: 'x' })],
    };
    const after = { phase: 'Pending', conditions: [condition('Ready', 'True')] };
    expect(podStatusPatch({ metadata, status: before }, after)).toMatchObject({
      status: { message: null, conditions: [{ type: 'Ready', status: 'True', reason: null }] },
    });
  });

  test('replaces addresses, which a patch would otherwise append', () => {
    const patch = podStatusPatch(
      { metadata, status: { podIPs: [{ ip: '10.0.0.1' }] } },
      { podIPs: [{ ip: '10.0.0.2' }] },
    );
    expect(patch).toMatchObject({ status: { podIPs: [{ $patch: 'replace' }, { ip: '10.0.0.2' }] } });
  });

  test('keeps the conditions and fields of other components', () => {
    const gate = condition('example.com/gate', 'True');
    const merged = mergePodStatus(
      { status: { conditions: [gate], qosClass: 'BestEffort' } },
      { phase: 'Running', conditions: [condition('Ready', 'True'), condition('example.com/gate', 'False')] },
      true,
    );
    expect(merged).toMatchObject({ qosClass: 'BestEffort', conditions: [gate, condition('Ready', 'True')] });
  });

  test('reports no terminal phase while containers may run', () => {
    const api = { phase: 'Running' } as const;
    const ended = { phase: 'Failed', reason: 'Evicted', conditions: [condition('Ready', 'False')] } as const;
    const status = { ...ended, conditions: [...ended.conditions] };
    expect(mergePodStatus({ status: api }, status, true)).toMatchObject({ phase: 'Running' });
    expect(mergePodStatus({ status: api }, status, true).reason).toBe(undefined);
    expect(mergePodStatus({ status: api }, status, false)).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
    });
  });

  test('never reports a terminal pod as ready', () => {
    const status = { phase: 'Succeeded', conditions: [condition('Ready', 'True')] };
    expect(mergePodStatus({ status: {} }, status, false).conditions).toEqual([
      condition('Ready', 'False', { reason: 'PodCompleted' }),
    ]);
  });
});
