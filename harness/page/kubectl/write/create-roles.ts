import type { PolicyRule, RoleRef, Subject } from '#api/rbac/v1';
import type { KubeObject, New } from '../../../api/objects.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../../api/plain-resources.ts';
import { StatusError } from '../../../api/status.ts';
import type { Call, Command } from '../command.ts';
import type { Flag } from '../flags.ts';
import { KubectlError } from '../kubectl-error.ts';
import { createOne, nameOf, place } from './create.ts';
import { WRITING } from './report.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_role.go validResourceVerbs */
const VERBS = new Set(
  '* get delete list create update patch watch proxy deletecollection use bind escalate impersonate'.split(
    ' ',
  ),
);

/** The resources of verbs that only some have. Upstream: specialVerbs */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  use: ['podsecuritypolicies.policy', 'podsecuritypolicies.extensions'],
  bind: [`roles.${GROUP}`, `clusterroles.${GROUP}`],
  escalate: [`roles.${GROUP}`, `clusterroles.${GROUP}`],
  impersonate: ['users', 'serviceaccounts', 'groups', 'userextras.authentication.k8s.io'],
};

const RULE = {
  ...WRITING,
  verb: { type: 'list', help: 'the verbs: get,list,watch' },
  resource: { type: 'list', help: 'the resources: pods,pods/log,deployments.apps' },
  'resource-name': { type: 'texts', help: 'the name of an object; repeat it for several' },
} as const satisfies Record<string, Flag>;

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_role.go CreateRoleOptions.RunCreateRole */
export const createRole: Command = {
  name: 'create role',
  usage: 'NAME --verb=VERB --resource=TYPE[.GROUP][/SUBRESOURCE] [--resource-name=NAME]',
  summary: 'Creates a Role with one rule',
  reads: false,
  flags: RULE,
  run: async (call) => {
    const name = nameOf(call);
    const verbs = verbsOf(call);
    const types = typesOf(call);
    warnOfVerbs(call, verbs);
    if (types.length === 0) throw new KubectlError('at least one resource must be specified');
    const rules = rulesFor(call, verbs, types);
    await createOne(call, roles, { metadata: { name, ...place(call) }, rules } as New<KubeObject>);
  },
};

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_clusterrole.go CreateClusterRoleOptions.RunCreateRole */
export const createClusterRole: Command = {
  name: 'create clusterrole',
  usage: 'NAME --verb=VERB (--resource=TYPE[.GROUP][/SUBRESOURCE] | --non-resource-url=PATH)',
  summary: 'Creates a ClusterRole with one rule',
  reads: false,
  flags: {
    ...RULE,
    'non-resource-url': { type: 'list', help: 'a path: /logs/*' },
    'aggregation-rule': { type: 'list', help: 'labels of the ClusterRoles that it combines: KEY=VALUE' },
  },
  run: async (call) => {
    const name = nameOf(call);
    const { flags } = call;
    const urls = [...new Set(flags.list('non-resource-url'))];
    const aggregated = flags.list('aggregation-rule');
    if (aggregated.length > 0) {
      if (['verb', 'resource', 'resource-name', 'non-resource-url'].some((each) => flags.has(each))) {
        throw new KubectlError(
          'aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames',
        );
      }
      const matchLabels = Object.fromEntries(aggregated.map((each) => each.split(/=(.*)/s).slice(0, 2)));
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels }] };
      // Go prints the zero value of rules.
      const object = { metadata: { name }, aggregationRule, rules: null } as unknown as New<KubeObject>;
      return createOne(call, clusterRoles, object);
    }
    const verbs = verbsOf(call);
    const types = typesOf(call);
    if (types.length === 0 && urls.length === 0) {
      throw new KubectlError('one of resource or nonResourceURL must be specified');
    }
    if (types.length > 0) warnOfVerbs(call, verbs);
    for (const url of urls) mustBePath(url, verbs);
    const paths: readonly PolicyRule[] =
      urls.length > 0 ? [{ nonResourceURLs: urls, verbs: [...verbs] }] : [];
    const rules = [...rulesFor(call, verbs, types), ...paths];
    await createOne(call, clusterRoles, { metadata: { name }, rules } as New<KubeObject>);
  },
};

const SUBJECTS = {
  ...WRITING,
  user: { type: 'texts', help: 'a user; repeat it for several' },
  group: { type: 'texts', help: 'a group; repeat it for several' },
  serviceaccount: { type: 'texts', help: 'a service account: NAMESPACE:NAME' },
} as const satisfies Record<string, Flag>;

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_rolebinding.go RoleBindingOptions.Run */
export const createRoleBinding: Command = {
  name: 'create rolebinding',
  usage:
    'NAME (--role=NAME | --clusterrole=NAME) [--user=USER] [--group=GROUP] [--serviceaccount=NAMESPACE:NAME]',
  summary: 'Gives users the rights of a role in a namespace',
  reads: false,
  flags: {
    ...SUBJECTS,
    role: { type: 'text', help: 'a Role of the namespace' },
    clusterrole: { type: 'text', help: 'a ClusterRole' },
  },
  run: async (call) => {
    const name = nameOf(call);
    const [role = '', clusterRole = ''] = [call.flags.text('role'), call.flags.text('clusterrole')];
    if ((role === '') === (clusterRole === '')) {
      throw new KubectlError('exactly one of clusterrole or role must be specified');
    }
    const roleRef = role === '' ? refTo('ClusterRole', clusterRole) : refTo('Role', role);
    const binding = { metadata: { name, ...place(call) }, roleRef, ...subjectsOf(call) } as New<KubeObject>;
    await createOne(call, roleBindings, binding).catch(failed('rolebinding'));
  },
};

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_clusterrolebinding.go ClusterRoleBindingOptions.Run */
export const createClusterRoleBinding: Command = {
  name: 'create clusterrolebinding',
  usage: 'NAME --clusterrole=NAME [--user=USER] [--group=GROUP] [--serviceaccount=NAMESPACE:NAME]',
  summary: 'Gives users the rights of a ClusterRole in the whole cluster',
  reads: false,
  flags: { ...SUBJECTS, clusterrole: { type: 'text', help: 'a ClusterRole' } },
  run: async (call) => {
    const clusterRole = call.flags.text('clusterrole');
    if (clusterRole === undefined) throw new KubectlError('required flag(s) "clusterrole" not set');
    const name = nameOf(call);
    const roleRef = refTo('ClusterRole', clusterRole);
    const binding = { metadata: { name }, roleRef, ...subjectsOf(call) } as New<KubeObject>;
    await createOne(call, clusterRoleBindings, binding).catch(failed('clusterrolebinding'));
  },
};

function verbsOf({ flags }: Call): readonly string[] {
  const verbs = [...new Set(flags.list('verb'))];
  if (verbs.length === 0) throw new KubectlError('at least one verb must be specified');
  return verbs.includes('*') ? ['*'] : verbs;
}

function warnOfVerbs({ io }: Call, verbs: readonly string[]): void {
  for (const verb of verbs) {
    if (!VERBS.has(verb)) io.err(`Warning: '${verb}' is not a standard resource verb\n`);
  }
}

/** A resource of a rule, as it was typed. */
interface RuleType {
  readonly name: string;
  readonly group: string;
  readonly subresource: string | undefined;
}

function typesOf({ flags }: Call): readonly RuleType[] {
  const types = flags.list('resource').map((text): RuleType => {
    const [type = '', ...subresource] = text.split('/');
    const [name = '', ...group] = type.split('.');
    return {
      name,
      group: group.join('.'),
      subresource: subresource.length > 0 ? subresource.join('/') : undefined,
    };
  });
  const all = types.find(
    ({ name, group, subresource }) => name === '*' && group === '' && subresource === undefined,
  );
  return all ? [all] : types;
}

/** Returns a rule for each API group. Upstream: generateResourcePolicyRules, validateResource */
function rulesFor(call: Call, verbs: readonly string[], types: readonly RuleType[]): readonly PolicyRule[] {
  const any = types.findIndex(({ name }) => name === '*');
  const byGroup = new Map<string, Set<string>>();
  for (const [i, type] of types.entries()) {
    const { name, group, subresource } = type;
    if (name === '') throw new KubectlError('resource must be specified if apiGroup/subresource specified');
    const found = call.kinds.find(group === '' ? name : `${name}.${group}`) ?? { plural: name, group };
    if (any < 0 || i < any) mustFit(type, found, verbs);
    const resources = byGroup.get(found.group) ?? new Set();
    byGroup.set(found.group, resources);
    resources.add(subresource ? `${found.plural}/${subresource}` : found.plural);
  }
  const resourceNames = [...new Set(call.flags.list('resource-name'))];
  return [...byGroup.keys()].sort().map((group) => ({
    apiGroups: [group],
    ...(resourceNames.length > 0 && { resourceNames }),
    resources: [...(byGroup.get(group) as Set<string>)],
    verbs: [...verbs],
  }));
}

function mustFit(
  { name, group }: RuleType,
  found: { readonly plural: string; readonly group: string; readonly kind?: string },
  verbs: readonly string[],
): void {
  const whole = found.group === '' ? found.plural : `${found.plural}.${found.group}`;
  let isSpecial = false;
  for (const verb of verbs) {
    const fitting = SPECIAL[verb];
    if (!fitting) continue;
    if (!fitting.includes(whole)) {
      throw new KubectlError(`can not perform '${verb}' on '${found.plural}' in group '${found.group}'`);
    }
    isSpecial = true;
  }
  if (found.kind !== undefined || isSpecial) return;
  const where = group === '' ? '' : ` in group "${group}"`;
  throw new KubectlError(`the server doesn't have a resource type "${name}"${where}`, { isPlain: true });
}

const PATH_VERBS = new Set('* get post put delete patch head options'.split(' '));

function mustBePath(url: string, verbs: readonly string[]): void {
  const wrong = verbs.find((verb) => !PATH_VERBS.has(verb));
  if (wrong !== undefined) throw new KubectlError(`invalid verb: '${wrong}' for nonResourceURL`);
  if (url === '*') return;
  if (!url.startsWith('/')) throw new KubectlError('nonResourceURL should start with /');
  if (url.slice(0, -1).includes('*')) {
    throw new KubectlError("nonResourceURL only supports wildcard matches when '*' is at the end");
  }
}

const refTo = (kind: string, name: string): RoleRef => ({ apiGroup: GROUP, kind, name });

/** Upstream: RoleBindingOptions.createRoleBinding */
function subjectsOf({ flags }: Call): { readonly subjects?: readonly Subject[] } {
  const subjects: readonly Subject[] = [
    ...flags.list('user').map((name) => ({ apiGroup: GROUP, kind: 'User', name })),
    ...flags.list('group').map((name) => ({ apiGroup: GROUP, kind: 'Group', name })),
    ...flags.list('serviceaccount').map((text) => {
      const [namespace, name, more] = text.split(':');
      if (!namespace || !name || more !== undefined) {
        throw new KubectlError('serviceaccount must be <namespace>:<name>');
      }
      return { kind: 'ServiceAccount', name, namespace };
    }),
  ];
  return subjects.length > 0 ? { subjects } : {};
}

/** Returns a handler that names the command in an error of the server, as kubectl does. */
export const failed =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof StatusError)) throw error;
    throw new KubectlError(`failed to create ${what}: ${error.message}`);
  };
