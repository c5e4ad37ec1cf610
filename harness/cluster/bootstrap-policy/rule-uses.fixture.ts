import type * as rbac from '#api/rbac/v1';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../../api/objects.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../api/plain-resources.ts';
import type { Storage } from '../../apiserver/storage/storage.ts';
import type { Access, Attributes, NewAccess, User } from '../../contracts/access/index.ts';

/** A rule is described by its verbs and resources up to this number of used requests, and by numbers above it. */
const REQUESTS_MAX = 8;

/** Records the decisions of an access control, and finds the rules behind them by its own reading of the roles. */
export class RuleUses {
  readonly #allowed = new Map<string, Attributes>();
  readonly #refused = new Set<string>();

  /** Returns an access control that decides like this one, and records. */
  recording(newAccess: NewAccess): NewAccess {
    return (context) => {
      const access: Access = newAccess(context);
      return {
        ...access,
        authorize: (attributes) => {
          const decision = access.authorize(attributes);
          const { user, namespace, name } = attributes;
          const text = `${user.name}: ${inWords(attributes)} ${namespace} ${name}`;
          if (decision.verdict === 'allow') this.#allowed.set(text, attributes);
          else this.#refused.add(`${text} ${decision.reason ?? ''}`);
          return decision;
        },
      };
    };
  }

  /** The refused requests, as text. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }

  /** Returns each role with its rules and the requests that they allowed, the unused roles, and the users without a role. */
  account(storage: Storage): string {
    const everything = [
      ...ofClusters(
        storage.list(clusterRoles) as ClusterRole[],
        storage.list(clusterRoleBindings) as ClusterRoleBinding[],
      ),
      ...ofNamespaces(storage.list(roles) as Role[], storage.list(roleBindings) as RoleBinding[]),
    ];
    const paragraphs = everything.map((each) => ({ ...each, lines: this.#linesOf(each) }));
    const used = paragraphs.filter(({ lines }) => lines.some((line) => !line.endsWith(UNUSED)));
    const unused = paragraphs.filter((each) => !used.includes(each));
    const users = [...this.#allowed.values()].map(({ user }) => user).filter(isMaster);
    const masters = [...new Set(users.map(({ name }) => name))].sort();
    return [
      ...used.map(({ title, lines }) => [title, ...lines]),
      ['Roles that no process uses', ...unused.map(({ title }) => `  ${title}`)],
      ['Users who need no role', ...masters.map((name) => `  ${name}`)],
    ]
      .map((lines) => lines.join('\n'))
      .join('\n\n');
  }

  #linesOf({ title, namespace, rules, subjects }: HeldRole): readonly string[] {
    const asked = [...this.#allowed.values()].filter(
      ({ user, namespace: where }) =>
        !isMaster(user) && holds(user, subjects, title) && (namespace === '' || namespace === where),
    );
    return rules.map((rule) => `  ${ruleInWords(rule)}: ${used(asked.filter((each) => allows(rule, each)))}`);
  }
}

/** A role and its subjects. */
interface HeldRole {
  readonly title: string;
  /** Empty for a cluster role. */
  readonly namespace: string;
  readonly rules: readonly rbac.PolicyRule[];
  readonly subjects: readonly rbac.Subject[];
}

function ofClusters(
  all: readonly ClusterRole[],
  bindings: readonly ClusterRoleBinding[],
): readonly HeldRole[] {
  return all.map(({ metadata: { name }, rules = [] }) => {
    const own = bindings.filter(({ roleRef }) => roleRef.name === name);
    return { title: name, namespace: '', rules, subjects: own.flatMap(({ subjects = [] }) => subjects) };
  });
}

function ofNamespaces(all: readonly Role[], bindings: readonly RoleBinding[]): readonly HeldRole[] {
  return all.map(({ metadata: { name, namespace = '' }, rules = [] }) => {
    const own = bindings.filter(
      ({ metadata, roleRef }) =>
        metadata.namespace === namespace && roleRef.kind === 'Role' && roleRef.name === name,
    );
    const subjects = own.flatMap((binding) => binding.subjects ?? []);
    return { title: `${namespace}/${name}`, namespace, rules, subjects };
  });
}

const isMaster = ({ groups }: User): boolean => groups.includes('system:masters');

/** The authorizer of nodes gives them their role, and limits it. */
function holds({ name, groups }: User, subjects: readonly rbac.Subject[], role: string): boolean {
  if (role === 'system:node') return groups.includes('system:nodes');
  return subjects.some((subject) => {
    if (subject.kind === 'Group') return groups.includes(subject.name);
    const prefix = subject.kind === 'User' ? '' : `system:serviceaccount:${subject.namespace}:`;
    return name === `${prefix}${subject.name}`;
  });
}

function allows(rule: rbac.PolicyRule, { verb, apiGroup, resource, subresource, name }: Attributes): boolean {
  const has = (list: readonly string[] = [], ...values: readonly string[]): boolean =>
    ['*', ...values].some((value) => list.includes(value));
  const whole = subresource ? [`${resource}/${subresource}`, `*/${subresource}`] : [resource];
  const isNamed = rule.resourceNames === undefined || rule.resourceNames.includes(name);
  return has(rule.verbs, verb) && has(rule.apiGroups, apiGroup) && has(rule.resources, ...whole) && isNamed;
}

/** `get list watch · pods services`, `update · leases of coordination.k8s.io named kube-scheduler` */
function ruleInWords(rule: rbac.PolicyRule): string {
  const { verbs, apiGroups = [], resources = [], nonResourceURLs = [], resourceNames = [] } = rule;
  const groups = apiGroups.map((group) => group || 'core').join(' ');
  const where = groups === '' || groups === 'core' ? '' : ` of ${groups}`;
  const names = resourceNames.length > 0 ? ` named ${resourceNames.join(' ')}` : '';
  return `${verbs.join(' ')} · ${[...resources, ...nonResourceURLs].join(' ')}${where}${names}`;
}

const UNUSED = '–';

function used(requests: readonly Attributes[]): string {
  const words = [...new Set(requests.map(inWords))].sort();
  if (words.length === 0) return UNUSED;
  if (words.length <= REQUESTS_MAX) return words.join(', ');
  const verbs = [...new Set(requests.map(({ verb }) => verb))].sort();
  return verbs
    .map((verb) => `${verb} ${words.filter((each) => each.startsWith(`${verb} `)).length} resources`)
    .join(', ');
}

/** `list pods`, `update deployments.apps/status` */
function inWords({ verb, apiGroup, resource, subresource }: Attributes): string {
  return `${verb} ${resource}${apiGroup && `.${apiGroup}`}${subresource && `/${subresource}`}`;
}
