import { isDNS1123Label } from '../../api/names.ts';

/**
 * What is to be said of the name of an object that makes pods: theirs, and their hostnames, begin with it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/strategy.go deploymentStrategy.WarningsOnCreate
 *
 * Differs: nothing is said of the pod template.
 */
export function nameWarnings(name: string): readonly string[] {
  const reasons = isDNS1123Label(name);
  if (reasons.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${reasons.join(' ')}]`,
  ];
}
