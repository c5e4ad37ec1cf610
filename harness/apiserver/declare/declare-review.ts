import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Asker, Kind } from '../kind.ts';
import type { ObjectRule } from './declare-kind.ts';

/** The special parts of a kind whose objects are reviews: requests for an answer. */
interface ReviewDeclaration<T extends KubeObject> {
  readonly resource: Resource<T>;
  /** @defaultValue none */
  readonly rules?: readonly ObjectRule<T>[];
  /** Returns the object with its answer. @throws StatusError BadRequest */
  readonly answer: (object: T, asker: Asker) => T;
}

/**
 * Makes a {@link Kind} whose objects are answered and never stored. A review has no name, and its namespace need not
 * exist.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/authorization, pkg/registry/authentication
 */
export function declareReview<T extends KubeObject>({
  resource,
  rules = [],
  answer,
}: ReviewDeclaration<T>): Kind<T> {
  return {
    resource,
    answer,
    setDefaults: unchanged,
    prepareForCreate: unchanged,
    prepareForUpdate: unchanged,
    validateName: none,
    validate: (object) => rules.flatMap((rule) => rule(object, '')),
    validateUpdate: (object) => rules.flatMap((rule) => rule(object, '')),
    selectableFields: () => ({}),
    selectableFieldNames: [],
  };
}

const unchanged = <T>(object: T): T => object;
const none = (): string[] => [];
