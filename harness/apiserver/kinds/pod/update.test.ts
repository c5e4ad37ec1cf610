import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import { container, lines, podSpec } from './pod.fixture.ts';
import { validatePodSpecUpdate } from './update.ts';

const check = (changes: Partial<core.PodSpec>, old: Partial<core.PodSpec> = {}) =>
  lines(validatePodSpecUpdate(podSpec({ ...old, ...changes }), podSpec(old)));

const IMMUTABLE =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n';

describe('update of a pod', () => {
  test('can change images', () => {
    expect(check({ containers: [container({ image: 'registry.example/app:2' })] })).toEqual([]);
    expect(check({ containers: [container({ image: ' padded:1' })] })).toEqual([
      'spec.containers[0].image: Invalid value: " padded:1": must not have leading or trailing whitespace',
    ]);
  });

  test('rejects other changes of a container, with a diff', () => {
    const env = [{ name: 'A', value: '1' }];
    expect(check({ containers: [container({ env })] })).toEqual([
      `${IMMUTABLE}+ spec.containers[0].env: [{"name":"A","value":"1"}]\n`,
    ]);
    expect(check({ restartPolicy: 'Never', nodeName: 'n1' })).toEqual([
      `${IMMUTABLE}- spec.restartPolicy: "Always"\n+ spec.restartPolicy: "Never"\n+ spec.nodeName: "n1"\n`,
    ]);
  });

  test('rejects changed resources, which need the resize subresource', () => {
    const asking = (cpu: string) => [container({ resources: { requests: { cpu } } })];
    expect(check({ containers: asking('2') }, { containers: asking('1') })).toEqual([
      `${IMMUTABLE}- spec.containers[0].resources.requests.cpu: "1"\n+ spec.containers[0].resources.requests.cpu: "2"\n`,
    ]);
  });

  test('accepts other spellings of the same values', () => {
    const spelled = (cpu: string) => ({ containers: [container({ resources: { limits: { cpu } } })] });
    expect(check(spelled('1000m'), spelled('1'))).toEqual([]);
    expect(check({ hostNetwork: false, nodeSelector: {}, tolerations: [] })).toEqual([]);
  });

  test('rejects added and removed containers', () => {
    const containers = [container(), container({ name: 'more' })];
    expect(check({ containers })).toEqual([
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ]);
    expect(check({ initContainers: [container({ name: 'init' })] })).toEqual([
      'spec.initContainers: Forbidden: pod updates may not add or remove containers',
    ]);
  });

  test('can set or lower activeDeadlineSeconds', () => {
    const path = 'spec.activeDeadlineSeconds';
    expect(check({ activeDeadlineSeconds: 60 })).toEqual([]);
    expect(check({ activeDeadlineSeconds: 30 }, { activeDeadlineSeconds: 60 })).toEqual([]);
    expect(check({ activeDeadlineSeconds: 61 }, { activeDeadlineSeconds: 60 })).toEqual([
      `${path}: Invalid value: 61: must be less than or equal to previous value`,
    ]);
    expect(lines(validatePodSpecUpdate(podSpec(), podSpec({ activeDeadlineSeconds: 60 })))).toEqual([
      `${path}: Invalid value: null: must not update from a positive integer to nil value`,
    ]);
  });

  test('can add tolerations, and change tolerationSeconds', () => {
    const old = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 };
    const added = { key: 'l', operator: 'Exists' };
    expect(check({ tolerations: [added, { ...old, tolerationSeconds: 5 }] }, { tolerations: [old] })).toEqual(
      [],
    );
    expect(check({ tolerations: [added] }, { tolerations: [old] })).toEqual([
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ]);
  });

  test('can remove scheduling gates', () => {
    const [a, b] = [{ name: 'x.io/a' }, { name: 'x.io/b' }];
    expect(check({ schedulingGates: [b] }, { schedulingGates: [a, b] })).toEqual([]);
    expect(check({ schedulingGates: [] }, { schedulingGates: [a, b] })).toEqual([]);
    expect(check({ schedulingGates: [a] })).toEqual([
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'x.io/a'",
    ]);
  });

  test('can set a negative grace period to 1, and rejects other changes of it', () => {
    const grace = (terminationGracePeriodSeconds: number) => ({ terminationGracePeriodSeconds });
    expect(check(grace(1), grace(-5))).toEqual([]);
    expect(check(grace(2), grace(-5))).toHaveLength(1);
    expect(check(grace(1), grace(5))).toEqual([
      `${IMMUTABLE}- spec.terminationGracePeriodSeconds: 5\n+ spec.terminationGracePeriodSeconds: 1\n`,
    ]);
  });
});

describe('update of a gated pod', () => {
  const gated = { schedulingGates: [{ name: 'x.io/a' }] };
  const path = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  const expression = (key: string) => ({ key, operator: 'Exists' });
  const toNodes = (...keys: string[]): { affinity: core.Affinity } => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: keys.map(expression) }],
        },
      },
    },
  });

  test('can narrow the node selector', () => {
    expect(check({ nodeSelector: { a: '1', b: '2' } }, { ...gated, nodeSelector: { a: '1' } })).toEqual([]);
    expect(check({ nodeSelector: { b: '2' } }, { ...gated, nodeSelector: { a: '1' } })).toEqual([
      'spec.nodeSelector: Invalid value: {"b":"2"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ]);
  });

  test('can narrow the node affinity', () => {
    expect(check(toNodes('a'), gated)).toEqual([]);
    expect(check(toNodes('a', 'b'), { ...gated, ...toNodes('a') })).toEqual([]);
    expect(check(toNodes('b'), { ...gated, ...toNodes('a') })).toEqual([
      `${path}[0]: Invalid value: {"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
    ]);
    expect(check({ affinity: {} }, { ...gated, ...toNodes('a') })).toEqual([
      `${path}: Invalid value: null: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
    ]);
  });

  test('cannot change the pod affinity', () => {
    const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] };
    expect(check({ affinity: { podAffinity } }, gated)).toEqual([
      `${IMMUTABLE}+ spec.affinity: {"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone"}]}}\n`,
    ]);
  });

  test('cannot narrow them after the last gate is removed', () => {
    expect(check({ nodeSelector: { a: '1' } })).toEqual([`${IMMUTABLE}+ spec.nodeSelector: {"a":"1"}\n`]);
  });
});
