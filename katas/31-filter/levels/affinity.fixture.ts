import type { PodSpec } from './rows.fixture.ts';

type Affinity = NonNullable<PodSpec['affinity']>;

/** A term of affinity to pods. */
export type PodAffinityTerm = NonNullable<
  NonNullable<Affinity['podAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>[number];

/** Requires pods that match the terms. */
export function near(...terms: PodAffinityTerm[]): Partial<PodSpec> {
  return { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
}

/** Forbids pods that match the terms. */
export function apart(...terms: PodAffinityTerm[]): Partial<PodSpec> {
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
}

/** Has the affinity of both specs. */
export function both(a: Partial<PodSpec>, b: Partial<PodSpec>): Partial<PodSpec> {
  return { affinity: { ...a.affinity, ...b.affinity } };
}
