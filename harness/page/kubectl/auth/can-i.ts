import type { PolicyRule } from '#api/rbac/v1';
import type { New, SelfSubjectAccessReview, SelfSubjectRulesReview } from '../../../api/objects.ts';
import { selfSubjectAccessReviews, selfSubjectRulesReviews } from '../../../api/plain-resources.ts';
import type { Resource } from '../../../api/resource.ts';
import type { Call, Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { TABLE_TABS, TabWriter } from '../tab-writer.ts';
import { SELECTING } from '../targets.ts';
import { compactRules } from './compact-rules.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/auth/cani.go resourceVerbs, nonResourceURLVerbs */
const VERBS = new Set(
  'get list watch create update patch delete deletecollection use bind impersonate * approve sign escalate attest'.split(
    ' ',
  ),
);
const PATH_VERBS = new Set('get put post head options delete patch *'.split(' '));

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/auth/cani.go CanIOptions */
export const canI: Command = {
  name: 'auth can-i',
  usage: '(VERB (TYPE | TYPE/NAME | PATH) | --list) [--as=USER]',
  summary: 'Prints whether you may do something; with --list, everything that you may do',
  reads: true,
  flags: {
    namespace: SELECTING.namespace,
    'all-namespaces': { short: 'A', type: 'switch', help: 'in all namespaces' },
    quiet: { short: 'q', type: 'switch', help: 'no output, only the exit code' },
    subresource: { type: 'text', help: 'a subresource: log, scale' },
    list: { type: 'switch', help: 'everything that is allowed in the namespace' },
    'no-headers': { type: 'switch', help: 'with --list: no headers' },
  },
  run: async (call) => {
    if (call.flags.isOn('list')) return list(call);
    const spec = questionOf(call);
    const { status } = (await call.client.create(selfSubjectAccessReviews, {
      metadata: {},
      spec,
    } as unknown as New<SelfSubjectAccessReview>)) as SelfSubjectAccessReview;
    const { allowed, reason, evaluationError } = status;
    const why = [reason, evaluationError].map((each) => (each ? ` - ${each}` : '')).join('');
    if (!call.flags.isOn('quiet')) call.io.out(allowed ? 'yes\n' : `no${why}\n`);
    return allowed ? 0 : 1;
  },
};

/** Returns the question of the line. @throws KubectlError */
function questionOf(call: Call): SelfSubjectAccessReview['spec'] {
  const { args, flags } = call;
  const [verb, what, ...more] = args;
  if (verb === undefined || what === undefined || more.length > 0) {
    throw new KubectlError(
      "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.",
    );
  }
  const warn = (text: string): void => call.io.err(`Warning: ${text}\n\n`);
  const subresource = flags.text('subresource') ?? '';
  const isEverywhere = flags.isOn('all-namespaces');
  const [type = '', ...name] = what.split('/');
  if (what.startsWith('/')) {
    if (subresource !== '') throw new KubectlError('--subresource can not be used with NonResourceURL');
    if (!PATH_VERBS.has(verb)) warn(`verb '${verb}' is not a known verb`);
  }
  const resource = what.startsWith('/') ? undefined : resourceOf(call, type, warn);
  if (resource && !isEverywhere) {
    const { namespaced, plural, group } = resource;
    const where = group === '' ? '' : ` in group '${group}'`;
    if (namespaced === false) warn(`resource '${plural}' is not namespace scoped${where}`);
    if (!VERBS.has(verb)) warn(`verb '${verb}' is not a known verb`);
  }
  if (flags.isOn('no-headers')) throw new KubectlError('--no-headers cannot be set without --list specified');
  if (!resource) return { nonResourceAttributes: { verb, path: what } };
  return {
    resourceAttributes: {
      ...(isEverywhere ? {} : { namespace: call.namespace }),
      ...{ verb, group: resource.group, resource: resource.plural, subresource, name: name.join('/') },
    },
  };
}

/** The resources that only the verb `impersonate` knows. */
const NOT_SERVED = new Set(['users', 'groups']);

function resourceOf(
  { kinds }: Call,
  type: string,
  warn: (text: string) => void,
): Pick<Resource, 'group' | 'plural'> & { readonly namespaced?: boolean } {
  const found = type === '*' ? undefined : kinds.find(type);
  if (found) return found;
  const [plural = '', ...group] = type.toLowerCase().split('.');
  const where = group.length === 0 ? '' : ` in group '${group.join('.')}'`;
  if (type !== '*' && !NOT_SERVED.has(type))
    warn(`the server doesn't have a resource type '${plural}'${where}`);
  return { group: '', plural: type };
}

/** Upstream: CanIOptions.RunAccessList, printStatus */
async function list(call: Call): Promise<number> {
  const { args, flags, io } = call;
  if (args.length > 0) throw new KubectlError('list option must be specified with no arguments');
  if (flags.isOn('quiet') || flags.isOn('all-namespaces') || flags.has('subresource')) {
    throw new KubectlError(
      "list option can't be specified with neither quiet, all-namespaces nor subresource options",
    );
  }
  const { status } = (await call.client.create(selfSubjectRulesReviews, {
    metadata: {},
    spec: { namespace: call.namespace },
  } as unknown as New<SelfSubjectRulesReview>)) as SelfSubjectRulesReview;
  const { incomplete, evaluationError = '', resourceRules, nonResourceRules } = status;
  if (incomplete) io.err(`Warning: the list may be incomplete: ${evaluationError}\n`);
  const rows = compactRules([...resourceRules, ...nonResourceRules]).map((rule) =>
    [resourceName(rule), ...[rule.nonResourceURLs, rule.resourceNames, rule.verbs].map(shownList)].join('\t'),
  );
  const headers = flags.isOn('no-headers') ? [] : ['Resources\tNon-Resource URLs\tResource Names\tVerbs'];
  io.out(new TabWriter(TABLE_TABS).align([...headers, ...rows].map((row) => `${row}\n`).join('')));
  return 0;
}

/** Returns `pods/log`, `deployments.apps/scale`. Upstream: pkg/describe/describe.go CombineResourceGroup */
function resourceName({ resources: [resource = ''] = [], apiGroups: [group = ''] = [] }: PolicyRule): string {
  const [plural = '', ...subresource] = resource.split('/');
  return [group === '' ? plural : `${plural}.${group}`, ...subresource].join('/');
}

const shownList = (values: readonly string[] = []): string => `[${values.join(' ')}]`;
