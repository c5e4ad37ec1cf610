import { groupVersion, type Resource, resources } from '../../api/resource.ts';
import { didYouMean } from '../../cli/did-you-mean.ts';
import type { Client } from '../../contracts/client.ts';
import { KubectlError } from './kubectl-error.ts';

/** The kinds that the cluster serves now, with the names that people type for them. */
export class Kinds {
  readonly all: readonly Resource[];

  /** @param server a client that knows the served custom resources */
  constructor(server: Client) {
    const { customResources = [] } = server as { readonly customResources?: readonly Resource[] };
    this.all = [...resources, ...customResources];
  }

  /**
   * Returns the resource of a name: `pods`, `pod`, `po`, `deployments.apps`, `deployments.v1.apps`, in any case. Of two
   * resources with the name it returns the first in discovery's order.
   *
   * Upstream: kubernetes/client-go@v0.36.3 restmapper/shortcut.go, discovery.go
   *
   * @throws KubectlError for another name
   */
  named(name: string): Resource {
    const found = this.all.find(
      (resource) => isListed(resource) && namesOf(resource).includes(name.toLowerCase()),
    );
    if (found) return found;
    const meant = didYouMean(name, this.names);
    throw new KubectlError(
      `the server doesn't have a resource type "${name}"${meant === '' ? '' : `. ${meant}`}`,
    );
  }

  /** Returns the resource of a name; undefined for another name. It may be one that nobody can list. */
  find(name: string): Resource | undefined {
    return this.all.find((resource) => namesOf(resource).includes(name.toLowerCase()));
  }

  /** Returns the resources of names with commas between them: `deploy,rs`, `all`. */
  listed(names: string): readonly Resource[] {
    return names.split(',').flatMap((name) => (name === 'all' ? this.category('all') : [this.named(name)]));
  }

  /** Returns the resource of an object. */
  of({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Resource | undefined {
    return this.all.find((resource) => resource.kind === kind && groupVersion(resource) === apiVersion);
  }

  /** Returns the resources of a category, each in one version. */
  category(category: string): readonly Resource[] {
    const found = this.all.filter(({ categories }) => categories.includes(category));
    return found.filter(
      (each, at) =>
        found.findIndex(({ group, plural }) => group === each.group && plural === each.plural) === at,
    );
  }

  /** The names to suggest: plurals, singulars and short names. */
  get names(): readonly string[] {
    return [
      ...new Set(
        this.all
          .filter(isListed)
          .flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames]),
      ),
    ];
  }
}

const isListed = ({ verbs }: Resource): boolean => verbs === undefined || verbs.includes('list');

function namesOf({ plural, singular, shortNames, group, version }: Resource): readonly string[] {
  const plain = [plural, singular, ...shortNames];
  return [
    ...plain,
    ...plain.flatMap((name) => (group === '' ? [] : [`${name}.${group}`, `${name}.${version}.${group}`])),
  ];
}
