import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';

/** A pod's affinity term that matches another pod, and the amount that it adds to the raw score. */
interface PodTerm {
  readonly owner: Pod;
  readonly about: Pod;
  readonly term: core.PodAffinityTerm;
  readonly weight: number;
  /** It is required, and not preferred. */
  readonly isRequired: boolean;
}

/** Returns the terms of a pod about a running pod, and of that pod about it. */
export function termsBetween(pod: Pod, running: Pod): readonly PodTerm[] {
  return [...wishesOf(pod, running), ...termsOfRunning(running, pod)];
}

/** Returns the preferred terms of a pod. */
function wishesOf(owner: Pod, about: Pod): readonly PodTerm[] {
  const { podAffinity, podAntiAffinity } = owner.spec.affinity ?? {};
  const wishes = (terms: readonly core.WeightedPodAffinityTerm[] = [], sign: 1 | -1): PodTerm[] =>
    terms.map(({ weight, podAffinityTerm }) => ({
      owner,
      about,
      term: podAffinityTerm,
      weight: sign * weight,
      isRequired: false,
    }));
  return [
    ...wishes(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution, 1),
    ...wishes(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution, -1),
  ];
}

/** Returns the terms of a running pod: its preferred terms, and its required affinity, each term of which counts 1. */
function termsOfRunning(owner: Pod, about: Pod): readonly PodTerm[] {
  const needs = owner.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...wishesOf(owner, about),
    ...needs.map((term) => ({ owner, about, term, weight: 1, isRequired: true })),
  ];
}
