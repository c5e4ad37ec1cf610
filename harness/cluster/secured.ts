import { TAINT_NODES_BY_CONDITION } from '../apiserver/admission/taint-nodes.ts';
import type { Access, AccessContext, NewAccess } from '../contracts/access/index.ts';
import type { Admission, AdmissionContext, NewAdmission } from '../contracts/admission/index.ts';
import type { ClusterOptions } from './cluster.ts';

/** The components that an apiserver asks. */
interface Asked {
  readonly access: NewAccess;
  readonly admission: NewAdmission;
}

/** Options of {@link securedBy}. */
interface SecuredOptions {
  /**
   * The names of disabled admission plugins.
   *
   * Differs: TaintNodesByCondition is disabled by default. Upstream's apiserver always taints new nodes.
   *
   * @defaultValue TaintNodesByCondition: without a node lifecycle controller, new nodes would keep its taint
   */
  readonly disabledPlugins?: readonly string[];
}

/**
 * Returns the options of a cluster whose apiservers authorize and admit each request.
 *
 * A component that is replaced takes effect at the next request, with empty memory, like a restarted apiserver.
 *
 * @param components - the components of the cluster, which can be replaced while it runs
 * @throws Error when one of them is missing
 */
export function securedBy(
  components: Partial<Asked> = {},
  { disabledPlugins = [TAINT_NODES_BY_CONDITION] }: SecuredOptions = {},
): Required<Pick<ClusterOptions, 'access' | 'admission' | 'postStartHooks'>> {
  const current = <P extends keyof Asked>(part: P): Asked[P] => {
    const component = components[part];
    if (component) return component;
    throw new Error(`Failed to secure the cluster: it was created without components.${part}.`);
  };
  current('access');
  current('admission');
  return {
    access: (context) => replaceableAccess(() => current('access'), context),
    admission: (context) => replaceableAdmission(() => current('admission'), { ...context, disabledPlugins }),
    postStartHooks: true,
  };
}

function replaceableAccess(newest: () => NewAccess, context: AccessContext): Access {
  const now = replaceable(newest, context);
  return {
    authenticate: (credentials) => now().authenticate(credentials),
    authenticateToken: (token, audiences) => now().authenticateToken(token, audiences),
    impersonate: (user, asked) => now().impersonate(user, asked),
    authorize: (attributes) => now().authorize(attributes),
    rulesFor: (user, namespace) => now().rulesFor(user, namespace),
    checkGrant: (write) => now().checkGrant(write),
  };
}

function replaceableAdmission(newest: () => NewAdmission, context: AdmissionContext): Admission {
  const now = replaceable(newest, context);
  return {
    admit: (attributes) => now().admit(attributes),
    validate: (attributes) => now().validate(attributes),
  };
}

/** Returns a function that returns the instance of the newest component, and creates it when the component is new. */
function replaceable<C, T>(newest: () => (context: C) => T, context: C): () => T {
  let made: { readonly by: (context: C) => T; readonly instance: T } | undefined;
  return () => {
    const by = newest();
    if (made?.by !== by) made = { by, instance: by(context) };
    return made.instance;
  };
}
