import {
  groupVersion,
  listKindOf,
  pods,
  type Resource,
  type Subresource,
  type Verb,
  verbsOf,
} from '../../api/resource.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import { subresourceType } from '../handler/discovery.ts';
import { kindOf } from '../handler/endpoints.ts';
import { type Action, discoveryOperation, type Operation, operation, sortedByName } from './operation.ts';
import { type Parameter, pathParameter, pretty } from './parameters.ts';
import { type SchemaKind, type SchemaSource, sortedByKey } from './schema.ts';

/** The operations of a path, by method in lower case, and their common parameters. */
export interface PathItem {
  readonly parameters?: readonly Parameter[];
  readonly get?: Operation;
  readonly put?: Operation;
  readonly post?: Operation;
  readonly delete?: Operation;
  readonly patch?: Operation;
}

/**
 * Returns the paths of one group version, sorted.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/installer.go APIInstaller.registerResourceHandlers, and
 * pkg/endpoints/openapi/openapi.go GetOperationIDAndTags
 *
 * @param resources - the resources of the group version, at least one
 * @throws Error when the source does not have a kind
 */
export function pathsOf(
  resources: readonly Resource[],
  source: SchemaSource,
): Readonly<Record<string, PathItem>> {
  const { group = '', version = '' } = resources[0] ?? {};
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const names = namesOf(group, version);
  const discovery: PathItem = { get: discoveryOperation(names.tag, names.title) };
  const described = resources.flatMap((resource) => new ResourcePaths(resource, source, root, names).all());
  const bindings =
    root === '/api/v1' && resources.includes(pods)
      ? [new ResourcePaths(pods, source, root, names).bindings()]
      : [];
  return sortedByKey([[`${root}/`, discovery], ...described, ...bindings]);
}

interface Names {
  /** `apps_v1` */
  readonly tag: string;
  /** `AppsV1` */
  readonly title: string;
}

/** Returns the names of a group version in operations: `rbac.authorization.k8s.io/v1` → `RbacAuthorizationV1`. */
function namesOf(group: string, version: string): Names {
  const [first = '', ...rest] = (group.replace(/\.k8s\.io$/, '') || 'core').split(/[^A-Za-z\d_]/);
  const name = first + rest.map(capitalized).join('');
  return { tag: `${name}_${version}`, title: capitalized(name) + capitalized(version) };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Entry = readonly [path: string, item: PathItem];

/**
 * Reports whether a subresource transmits objects.
 *
 * Differs: upstream also describes the subresources for text and connections.
 */
function isOfObjects(subresource: Subresource): boolean {
  return !['log', 'exec', 'attach', 'portforward', 'proxy'].includes(subresource);
}

/** The paths of one resource. */
class ResourcePaths {
  readonly #resource: Resource;
  readonly #source: SchemaSource;
  readonly #root: string;
  readonly #names: Names;
  readonly #kind: SchemaKind;

  constructor(resource: Resource, source: SchemaSource, root: string, names: Names) {
    const { group, version, kind } = resource;
    this.#resource = resource;
    this.#source = source;
    this.#root = root;
    this.#names = names;
    this.#kind = { group, version, kind };
  }

  all(): readonly Entry[] {
    const { plural, kind, namespaced, subresources } = this.#resource;
    const scope = namespaced ? 'Namespaced' : '';
    const within = namespaced ? `namespaces/{namespace}/${plural}` : plural;
    const known = verbsOf(this.#resource);
    /** Returns a path if it has any operations. */
    const item = (
      path: string,
      name: string,
      all: readonly Action[],
      verbs = known,
      of = this.#kind,
    ): Entry[] => {
      const actions = all.filter((action) => verbs.includes(VERBS[action]));
      return actions.length > 0 ? [this.#entry(path, name, actions, of)] : [];
    };
    return [
      ...item(within, scope + kind, ['list', 'post', 'deletecollection']),
      ...item(`${within}/{name}`, scope + kind, ['get', 'put', 'patch', 'delete']),
      ...item(`watch/${within}`, `${scope}${kind}List`, ['watchlist']),
      ...item(`watch/${within}/{name}`, scope + kind, ['watch']),
      ...(namespaced ? item(plural, `${kind}ForAllNamespaces`, ['list']) : []),
      ...(namespaced ? item(`watch/${plural}`, `${kind}ListForAllNamespaces`, ['watchlist']) : []),
      ...subresources.filter(isOfObjects).flatMap((subresource) => {
        const { verbs, ...type } = subresourceType(this.#resource, subresource);
        const name = scope + kind + capitalized(subresource);
        return item(`${within}/{name}/${subresource}`, name, ['get', 'put', 'patch', 'post'], verbs, type);
      }),
    ];
  }

  /** The older path for bindings: only the body names the pod. */
  bindings(): Entry {
    const binding = { group: '', version: 'v1', kind: 'Binding' };
    return this.#entry('namespaces/{namespace}/bindings', 'NamespacedBinding', ['post'], binding);
  }

  #entry(path: string, name: string, actions: readonly Action[], kind: SchemaKind): Entry {
    const operations = actions.map((action) =>
      operation({
        ...{ action, kind, tag: this.#names.tag },
        name: this.#names.title + (action === 'deletecollection' ? `Collection${name}` : name),
        object: this.#nameOf(kind),
        returnsDeletedObject: kindOf(this.#resource).returnsDeletedObject ?? false,
        isCustom: customVersionOf(this.#resource) !== undefined,
        list: action === 'list' ? this.#nameOf({ ...kind, kind: listKindOf(this.#resource) }) : '',
      }),
    );
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => pathParameter(parameter));
    return [
      `${this.#root}/${path}`,
      withCommonParameters([...inPath, pretty], Object.fromEntries(operations)),
    ];
  }

  #nameOf(kind: SchemaKind): string {
    const name = this.#source.nameOf(kind);
    if (name === undefined)
      throw new Error(`Failed to describe ${kind.kind} of ${groupVersion(kind)}: it has no schema.`);
    return name;
  }
}

/** The verb that allows an action. */
const VERBS: Readonly<Record<Action, Verb>> = {
  list: 'list',
  watchlist: 'watch',
  watch: 'watch',
  get: 'get',
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'deletecollection',
};

/**
 * Moves the parameters that all operations have in common to the path.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/builder3/openapi.go
 * openAPI.findCommonParameters
 */
function withCommonParameters(
  parameters: readonly Parameter[],
  operations: Readonly<Record<string, Operation>>,
): PathItem {
  const all = Object.values(operations);
  const first = all[0]?.parameters ?? [];
  const common = first.filter(({ name }) =>
    all.every((each) => each.parameters?.some((one) => one.name === name)),
  );
  const own = ({ parameters: listed = [], ...rest }: Operation): Operation => {
    const left = listed.filter(({ name }) => !common.some((one) => one.name === name));
    return { ...rest, ...(left.length > 0 && { parameters: left }) };
  };
  return {
    parameters: sortedByName([...parameters, ...common]),
    ...Object.fromEntries(Object.entries(operations).map(([method, each]) => [method, own(each)])),
  };
}
