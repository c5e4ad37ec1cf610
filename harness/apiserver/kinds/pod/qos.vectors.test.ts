import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import vectors from '../../../conformance/qos.json' with { type: 'json' };
import { container } from './pod.fixture.ts';
import { computePodQOS } from './qos.ts';

type Case = {
  id: string;
  op: string;
  name: string;
  input: {
    containers: core.ResourceRequirements[];
    initContainers?: core.ResourceRequirements[];
    pod?: core.ResourceRequirements;
  };
  expect: { class: string };
};

describe('Quality of service, upstream vectors', () => {
  const cases = vectors.cases as unknown as Case[];
  const of = (op: string) => cases.filter((row) => row.op === op);
  const having = (all: readonly core.ResourceRequirements[] = []) =>
    all.map((resources) => container({ resources }));

  test('are complete', () => {
    expect(of('qos')).toHaveLength(20);
    expect(cases).toHaveLength(20);
  });

  test.each(of('qos'))('$id $name', ({ input: { containers, initContainers, pod }, expect: wanted }) => {
    const spec = { containers: having(containers), initContainers: having(initContainers) };
    expect(computePodQOS({ ...spec, ...(pod ? { resources: pod } : {}) })).toBe(wanted.class);
  });
});
