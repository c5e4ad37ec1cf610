import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { Call } from './command.ts';
import type { Flag } from './flags.ts';
import { KubectlError } from './kubectl-error.ts';
import { manifestOf } from './manifests.ts';

/** The flags that select objects. */
export const SELECTING = {
  namespace: { short: 'n', type: 'text', help: 'the namespace' },
  selector: { short: 'l', type: 'text', help: 'labels: app=web,tier in (a, b)' },
  'field-selector': { type: 'text', help: 'fields: status.phase=Running' },
  'all-namespaces': { short: 'A', type: 'switch', help: 'in all namespaces' },
  filename: { short: 'f', type: 'list', help: 'a manifest; - is the editor' },
} as const satisfies Record<string, Flag>;

/** Objects of one resource: one object with a name, or a list. */
export interface Targets {
  readonly resource: Resource;
  readonly objects: readonly KubeObject[];
  /** Whether a name selected it. */
  readonly named: boolean;
}

/** The selected objects, and the errors about the others. */
interface Selected {
  readonly targets: readonly Targets[];
  readonly errors: readonly unknown[];
}

/** A resource and a name. */
interface Reference {
  readonly resource: Resource;
  readonly key: ObjectKey;
}

/** How {@link select} treats arguments. */
interface SelectOptions {
  /** The arguments. @defaultValue those of the call */
  readonly args?: readonly string[];
  /** Whether a kind without a name means all objects of it. @defaultValue only with a selector or `--all` */
  readonly wholeKinds?: boolean;
}

/**
 * Reads the objects that a line names: `pods`, `pod a b`, `pod/a svc/b`, `deploy,rs`, `all`, `-f FILE`, with `-l`, `-n` and
 * `-A`.
 *
 * Upstream: kubernetes/cli-runtime@v0.36.3 pkg/resource/builder.go Builder.Do
 *
 * @throws KubectlError when the arguments contradict each other
 */
export async function select(call: Call, options: SelectOptions = {}): Promise<Selected> {
  const { args = call.args } = options;
  const files = call.flags.list('filename');
  if (files.length > 0) {
    if (args.length > 0) {
      throw new KubectlError(
        'when paths, URLs, or stdin is provided as resource input, you may not specify resource arguments as well',
      );
    }
    return read(
      call,
      files.flatMap((file) => manifestOf(call, file)),
    );
  }
  const asked = references(call, options);
  if ('named' in asked) return read(call, asked.named);
  const { labelSelector, fieldSelector } = selectorsOf(call);
  const targets: Targets[] = [];
  const errors: unknown[] = [];
  for (const resource of asked.kinds) {
    const isEverywhere = !resource.namespaced || call.flags.isOn('all-namespaces');
    try {
      const { items } = await call.client.list(resource, {
        ...(isEverywhere ? {} : { namespace: call.namespace }),
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      });
      targets.push({ resource, objects: items, named: false });
    } catch (error) {
      errors.push(withSelectors(error, resource, labelSelector, fieldSelector));
    }
  }
  return { targets, errors };
}

/** Upstream: kubernetes/cli-runtime@v0.36.3 pkg/resource/selector.go EnhanceListError */
function withSelectors(error: unknown, resource: Resource, labels = '', fields = ''): unknown {
  const isSelected = labels !== '' || fields !== '';
  if (!(error instanceof StatusError) || error.reason !== 'BadRequest' || !isSelected) return error;
  const { group, version, plural } = resource;
  const message = `Unable to find "${group}/${version}, Resource=${plural}" that match label selector "${labels}", field selector "${fields}": ${error.message}`;
  return new StatusError({ ...error.status, message });
}

/** Returns the selected objects one by one. @throws the first error */
export async function selectAll(call: Call, options: SelectOptions = {}): Promise<readonly Target[]> {
  const { targets, errors } = await select(call, options);
  if (errors.length > 0) throw errors[0];
  return targets.flatMap(({ resource, objects }) => objects.map((object) => ({ resource, object })));
}

/** An object and its resource. */
export interface Target {
  readonly resource: Resource;
  readonly object: KubeObject;
}

async function read(call: Call, named: readonly Reference[]): Promise<Selected> {
  const targets: Targets[] = [];
  const errors: unknown[] = [];
  for (const { resource, key } of named) {
    try {
      targets.push({ resource, objects: [await call.client.get(resource, key)], named: true });
    } catch (error) {
      errors.push(error);
    }
  }
  return { targets, errors };
}

/** Returns the selectors of the line. */
export function selectorsOf({ flags }: Call): {
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
} {
  return { labelSelector: flags.text('selector'), fieldSelector: flags.text('field-selector') };
}

const MIXED =
  "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'";

/** Returns the names or the kinds that the arguments ask for. @throws KubectlError */
export function references(
  call: Call,
  { args = call.args, wholeKinds = false }: SelectOptions = {},
): { readonly named: readonly Reference[] } | { readonly kinds: readonly Resource[] } {
  const [first, ...names] = args;
  if (first === undefined) {
    throw new KubectlError(
      'You must provide one or more resources by argument or filename: pods, deploy/web, or -f with a manifest',
    );
  }
  const { labelSelector, fieldSelector } = selectorsOf(call);
  const isEverywhere = call.flags.isOn('all-namespaces');
  const keyIn = (resource: Resource, name: string): Reference => {
    if (isEverywhere && resource.namespaced) {
      throw new KubectlError('a resource cannot be retrieved by name across all namespaces');
    }
    return { resource, key: resource.namespaced ? { namespace: call.namespace, name } : { name } };
  };
  if (first.includes('/')) {
    return {
      named: args.map((arg) => {
        const [kind = '', name = '', more] = arg.split('/');
        if (!arg.includes('/')) throw new KubectlError(MIXED);
        if (kind === '' || name === '' || more !== undefined) {
          throw new KubectlError('arguments in resource/name form must have a single resource and name');
        }
        return keyIn(call.kinds.named(kind), name);
      }),
    };
  }
  if (names.some((name) => name.includes('/'))) throw new KubectlError(MIXED);
  const kinds = call.kinds.listed(first);
  if (names.length > 0) {
    if (labelSelector !== undefined || fieldSelector !== undefined) {
      throw new KubectlError('name cannot be provided when a selector is specified');
    }
    return { named: kinds.flatMap((resource) => names.map((name) => keyIn(resource, name))) };
  }
  const selects = labelSelector !== undefined || fieldSelector !== undefined || call.flags.isOn('all');
  if (!wholeKinds && !selects) {
    throw new KubectlError('resource(s) were provided, but no name was specified');
  }
  return { kinds };
}
