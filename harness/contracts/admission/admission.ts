import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Clock, Random } from '../../sim/index.ts';
import type { User } from '../access/user.ts';
import type { Client } from '../client.ts';
import type { ObjectCache } from '../object-cache.ts';
import type { WebhookTransport } from './webhook.ts';

/**
 * The part of an apiserver that changes and refuses objects on their way into the storage. It sees each authorized
 * create, update, delete and connect, and no read. Each apiserver has its own.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/interfaces.go MutationInterface, ValidationInterface
 */
export interface Admission {
  /**
   * Returns the object as it shall continue; the same object if nothing changes. Runs before the name of a new object
   * is generated and before the object is validated.
   *
   * @returns undefined if the request has no object, such as a delete
   * @throws StatusError when the request is refused
   */
  admit(attributes: AdmissionAttributes): Promise<KubeObject | undefined>;
  /**
   * Checks the object as it will be stored. Runs after its validation.
   *
   * @throws StatusError when the request is refused
   */
  validate(attributes: AdmissionAttributes): Promise<void>;
}

/** Creates the admission of one apiserver. */
export type NewAdmission = (context: AdmissionContext) => Admission;

/** What an apiserver provides to its admission. */
export interface AdmissionContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Objects as far as this apiserver has observed them. */
  readonly cache: ObjectCache;
  /** The apiserver's own client, which may do everything. It reads the newest state, and its writes are admitted, too. */
  readonly client: Client;
  /** Fills in the default values of an object, as for every object that a client sends. */
  setDefaults<T extends KubeObject>(resource: Resource<T>, object: T): T;
  /** Decodes a changed object, like the body of a request. @throws StatusError BadRequest */
  decode<T extends KubeObject>(resource: Resource<T>, object: unknown): T;
  /** Applies a JSON patch. @throws Error when the patch does not fit */
  applyJsonPatch(object: object, patch: readonly unknown[]): object;
  /** Sends reviews to webhooks. */
  readonly webhooks: WebhookTransport;
  /** The names of disabled plugins, as in `--disable-admission-plugins`. @defaultValue none */
  readonly disabledPlugins?: readonly string[];
}

/** What a request wants to do with an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/**
 * A request as admission plugins see it.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/admission/interfaces.go Attributes
 */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly user: User;
  /** The resource in the version of the request. */
  readonly resource: Resource;
  /** `status`, `binding`; empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources. For a namespace, its own name. */
  readonly namespace: string;
  /** Empty for a new object whose name is generated, until it is. */
  readonly name: string;
  /** The object that is going to be stored; for a connect, its options. Undefined for a delete. */
  readonly object?: KubeObject;
  /** The stored object. Undefined for a create. */
  readonly oldObject?: KubeObject;
  /** The options of the request, as in its query: CreateOptions and its siblings. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the request is only a trial. Nothing may be written for it. */
  readonly dryRun: boolean;
  /** The virtual time in ms at which the whole request times out. */
  readonly deadlineMs: number;
  /** Adds a `Warning` to the response. */
  warn(text: string): void;
  /** Adds an annotation to the audit event of this request. */
  annotate(key: string, value: string): void;
}
