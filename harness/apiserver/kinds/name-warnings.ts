import { isDNS1123Label } from '../../api/names.ts';

/**
 * Returns warnings about the name of a workload object: the names and hostnames of its pods start with it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/apps/deployment/strategy.go deploymentStrategy.WarningsOnCreate
 *
 * Differs: the pod template causes no warnings.
 */
export function nameWarnings(name: string): readonly string[] {
  const reasons = isDNS1123Label(name);
  if (reasons.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${reasons.join(' ')}]`,
  ];
}
