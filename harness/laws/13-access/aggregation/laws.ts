import { isDeepStrictEqual } from 'node:util';
import type * as meta from '#api/meta/v1';
import type * as rbac from '#api/rbac/v1';
import type { ClusterRole } from '../../../api/objects.ts';
import { type Law, lawAbout, type Violation } from '../../../testing/holds.ts';
import { PROCESS } from './scenario.ts';
import type { AggregationHistory } from './simulation.ts';

const isAggregate = ({ aggregationRule }: ClusterRole): boolean => aggregationRule !== undefined;

/** ★ Liveness. In the end the rules of each aggregate are those of the roles that it selects, each once. */
export const aggregated: Law<AggregationHistory> = lawAbout(
  {
    name: 'an aggregate that selects a role with rules',
    isMet: ({ roles }) => roles.some((role) => isAggregate(role) && unionFor(role, roles).length > 0),
  },
  ({ roles, settledMs }) =>
    roles.filter(isAggregate).flatMap((role): Violation[] => {
      const own = role.rules ?? [];
      const union = unionFor(role, roles);
      const { name } = role.metadata;
      const report = (problem: string): Violation[] => [
        { atMs: settledMs, message: `ClusterRole ${name} ${problem}`, object: name },
      ];
      const missing = union.find((rule) => !own.some((each) => isDeepStrictEqual(each, rule)));
      if (missing) return report(`lacks the rule ${JSON.stringify(missing)} of a role that it selects`);
      const more = own.find((rule) => !union.some((each) => isDeepStrictEqual(each, rule)));
      if (more) return report(`has the rule ${JSON.stringify(more)}, which no role that it selects has`);
      return own.length > union.length ? report(`has a rule twice: ${JSON.stringify(own)}`) : [];
    }),
);

/** ★ Safety. The controller writes nothing but the rules of aggregates, and nothing once they are right. */
export const writesOnlyRules: Law<AggregationHistory> = lawAbout(
  { name: 'a write of the controller', isMet: ({ writes }) => writes.some(({ actor }) => actor === PROCESS) },
  ({ writes, settledMs }) => {
    // The controller can know an older state: an apply to a role that is deleted meanwhile creates it again.
    const known = new Set<string>();
    return writes.flatMap(({ actor, object, previous, atMs }): Violation[] => {
      const { name } = object.metadata;
      if (isAggregate(object)) known.add(name);
      if (actor !== PROCESS) return [];
      const report = (problem: string): Violation[] => [
        { atMs, message: `the controller wrote ClusterRole ${name}, ${problem}`, object: name },
      ];
      if (!known.has(name)) return report('which never aggregated anything');
      if (previous && !isDeepStrictEqual(kept(previous), kept(object)))
        return report('and changed more than its rules');
      return atMs > settledMs ? report('although its rules were right') : [];
    });
  },
);

/** Returns the fields of a role that the controller does not own. */
function kept({ metadata, aggregationRule }: ClusterRole) {
  const { name, labels, annotations, finalizers } = metadata;
  return { name, labels, annotations, finalizers, aggregationRule };
}

function unionFor(role: ClusterRole, all: readonly ClusterRole[]): readonly rbac.PolicyRule[] {
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  const rules = all
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .filter(({ metadata }) => selectors.some((selector) => selects(selector, metadata.labels ?? {})))
    .flatMap((each) => each.rules ?? []);
  return rules.filter((rule, i) => rules.findIndex((other) => isDeepStrictEqual(other, rule)) === i);
}

function selects(
  { matchLabels = {}, matchExpressions = [] }: meta.LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      return (value !== undefined && values.includes(value)) === (operator === 'In');
    })
  );
}
