import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import { pod as kind } from '../pod.ts';
import { lines, podSpec, storedPod } from './pod.fixture.ts';
import { validatePodSpec } from './spec.ts';

const HASH = 'pod-template-hash';
const selector = { matchLabels: { app: 'web' } };
const equal = (key: string, value: string) => ({ key, operator: 'In', values: [value] });

const labelled = (spec: Partial<core.PodSpec>): Pod => {
  const stored = storedPod(spec);
  return { ...stored, metadata: { ...stored.metadata, labels: { app: 'web', [HASH]: 'abc' } } };
};

const spread = (changes: Partial<core.TopologySpreadConstraint>): core.TopologySpreadConstraint => ({
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  ...changes,
});

const created = (spec: Partial<core.PodSpec>) => kind.prepareForCreate(labelled(spec));

describe('label keys of a spread constraint', () => {
  test('become requirements when the pod is created, and stay', () => {
    const constraint = spread({ matchLabelKeys: [HASH, 'absent', 'constructor'], labelSelector: selector });
    const pod = created({ topologySpreadConstraints: [constraint] });
    expect(pod.spec.topologySpreadConstraints).toEqual([
      { ...constraint, labelSelector: { ...selector, matchExpressions: [equal(HASH, 'abc')] } },
    ]);
    expect(kind.validate(pod)).toEqual([]);
    expect(kind.validateUpdate(pod, pod)).toEqual([]);
  });

  test('are rejected without a selector', () => {
    const pod = created({ topologySpreadConstraints: [spread({ matchLabelKeys: [HASH] })] });
    expect(pod.spec.topologySpreadConstraints?.[0]?.labelSelector).toBeUndefined();
    expect(lines(kind.validate(pod))).toEqual([
      'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
    ]);
  });

  test("are rejected if the selector of a pod's constraint also has them; a template accepts that", () => {
    const topologySpreadConstraints = [spread({ matchLabelKeys: ['app'], labelSelector: selector })];
    expect(validatePodSpec(podSpec({ topologySpreadConstraints }), 'spec')).toEqual([]);
    expect(lines(kind.validate(created({ topologySpreadConstraints })))).toEqual([
      'spec.topologySpreadConstraints[0][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
    ]);
  });
});

describe('label keys of an affinity term', () => {
  const term = (changes: Partial<core.PodAffinityTerm>): core.PodAffinityTerm => ({
    topologyKey: 'zone',
    labelSelector: selector,
    ...changes,
  });

  test('become requirements in every kind of term', () => {
    const [match, mismatch] = [term({ matchLabelKeys: [HASH] }), term({ mismatchLabelKeys: [HASH] })];
    const { affinity } = created({
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [match] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: mismatch }],
        },
      },
    }).spec;
    const merged = (operator: string) => ({
      ...selector,
      matchExpressions: [{ ...equal(HASH, 'abc'), operator }],
    });
    const required = affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    expect(required).toEqual([{ ...match, labelSelector: merged('In') }]);
    const preferred = affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
    expect(preferred?.[0]?.podAffinityTerm).toEqual({ ...mismatch, labelSelector: merged('NotIn') });
  });

  test('are valid label names, and not in both lists', () => {
    const terms = [term({ matchLabelKeys: ['a b', HASH], mismatchLabelKeys: [HASH] })];
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
    const at = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys';
    expect(lines(validatePodSpec(podSpec({ affinity }), 'spec'))).toEqual([
      expect.stringContaining(`${at}[0]: Invalid value: "a b": `),
      `${at}[1]: Invalid value: "${HASH}": exists in both matchLabelKeys and mismatchLabelKeys`,
    ]);
  });
});
