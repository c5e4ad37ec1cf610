import type { HistoryEntry } from '../history.ts';
import { describeQuestion, describeUser } from '../render/history.ts';
import type { ConfigurationPlan } from '../scenario/index.ts';
import { isMaster, isNode } from './identity.ts';
import { matches, waysOf } from './rights.ts';
import type { Verdicts } from './verdicts.ts';
import type { Window, World } from './world.ts';

type List = Extract<HistoryEntry, { readonly call: 'rulesFor' }>;

/** Judges the list of rules of a user: it agrees with the answers, and says whether it is complete. */
export function judgeList(
  world: World,
  { authorizers }: ConfigurationPlan,
  { user, namespace, result, asked }: List,
  { moment, verdicts }: { readonly moment: Window; readonly verdicts: Verdicts },
): void {
  const where = namespace === '' ? 'the whole cluster' : `the namespace ${namespace}`;
  const words = `the list of ${describeUser(user)} for ${where}`;
  if (isMaster(user)) return;
  if (isNode(user)) {
    if (!user.name.startsWith('system:node:') || !authorizers.includes('Node')) return;
    verdicts.meet('nodesRead');
    if (!result.incomplete || result.errors.length === 0)
      verdicts.break('nodesRead', `${words} seems complete, but a node has more rights than its rules`);
    return;
  }
  if (!authorizers.includes('RBAC')) return;
  if (result.rules.length > 0) verdicts.meet('listsRules');
  for (const { attributes, allowed } of asked) {
    if ((attributes.isResourceRequest ? attributes.namespace : '') !== namespace) continue;
    const rule = result.rules.find((each) => matches(each, attributes));
    const question = describeQuestion(attributes);
    if (allowed && !rule)
      verdicts.break(
        'listsRules',
        `${describeUser(user)} may ${question}, but no rule in the list for ${where} says so`,
      );
    if (!allowed && rule)
      verdicts.break(
        'listsRules',
        `${describeUser(user)} may not ${question}, but the list for ${where} has the rule ${JSON.stringify(rule)}`,
      );
  }
  if (result.incomplete) verdicts.break('listsRules', `${words} is incomplete, but RBAC knows all rules`);
  const ways = [...waysOf(world, user, namespace, moment)];
  const missing = ways.filter(({ roles }) => roles.every((role) => role === undefined));
  if (result.errors.length === 0 && missing.some(({ isCertain }) => isCertain))
    verdicts.break('listsRules', `${words} has no error, but a binding refers to a missing role`);
  if (result.errors.length > 0 && ways.every(({ roles }) => !roles.includes(undefined)))
    verdicts.break(
      'listsRules',
      `${words} has the errors ${result.errors.join(', ')}, but no role of this user is missing`,
    );
}
