import { refusalOf } from '../apiserver/session.ts';
import type { Connection } from '../client/connection.ts';
import type { Attributes, Impersonation, User } from '../contracts/access/index.ts';
import type { Client } from '../contracts/client.ts';
import type { ApiServers } from './apiservers.ts';

/** The clients of a user of a cluster. */
export interface ClusterUser {
  /** Over the connection, with its latency, its faults and its trace. */
  readonly connected: Client;
  /** Without latency, faults and trace. */
  readonly undisturbed: Client;
  /** @throws StatusError Forbidden when the user may not send this request */
  mustBeAllowed(asked: AskedRequest): void;
}

/** A request about an object of the core group. */
export type AskedRequest = Pick<Attributes, 'verb' | 'resource' | 'subresource' | 'namespace' | 'name'>;

/** Dependencies of {@link clusterUser}. */
interface ClusterUserOptions {
  readonly servers: ApiServers;
  /** The open connection of the user. */
  readonly connection: Connection;
  /** The name of the connection in traces and in the journal. */
  readonly name: string;
  readonly user: User;
  /** The user in whose name the requests act. @defaultValue nobody else's */
  readonly impersonates: Impersonation | undefined;
}

/** Returns the clients of the user behind a connection. */
export function clusterUser({
  servers,
  connection,
  name,
  user,
  impersonates,
}: ClusterUserOptions): ClusterUser {
  const { undisturbed } = servers;
  return {
    connected: connection.to(servers.sessions(user, { actor: name, replica: 0, impersonates })),
    undisturbed: undisturbed.as(user, name, { impersonates }),
    mustBeAllowed(asked) {
      const { access } = undisturbed;
      if (!access) return;
      const acting = impersonates ? access.impersonate(user, impersonates) : user;
      const attributes: Attributes = {
        ...{ user: acting, isResourceRequest: true, path: '', apiGroup: '', apiVersion: 'v1' },
        ...asked,
      };
      const refusal = refusalOf(attributes, access.authorize(attributes));
      if (refusal) throw refusal;
    },
  };
}
