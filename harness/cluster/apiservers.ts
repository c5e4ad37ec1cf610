import { failure, StatusError } from '../api/status.ts';
import { ApiServer, type ApiServerOptions } from '../apiserver/apiserver.ts';
import { ServiceAccountTokens } from '../apiserver/service-account-tokens.ts';
import type { SessionOptions } from '../apiserver/session.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import { withEveryRight } from '../apiserver/users.ts';
import type { User } from '../contracts/access/index.ts';
import type { Client } from '../contracts/client.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import type { Random, Simulation } from '../sim/index.ts';
import { Replica } from './replica.ts';

/** Options of all apiservers of a cluster. */
interface ApiServersOptions
  extends Pick<
    ApiServerOptions,
    'store' | 'trackOnCreate' | 'access' | 'accessConfiguration' | 'admission' | 'observe' | 'webhooks'
  > {
  /** The key that signs the tokens of service accounts. @defaultValue from the seed */
  readonly tokenKey: string | undefined;
  readonly storage: Storage;
  /** Number of replicas. */
  readonly replicas: number;
  /** Whether each replica serves streaming lists. @defaultValue all do */
  readonly streamingLists: readonly boolean[];
}

/** The apiservers of a cluster: replicas over one storage, and one for clients without faults and latency. */
export class ApiServers {
  readonly replicas: readonly Replica[];
  /** The apiserver of clients without faults and latency. */
  readonly undisturbed: ApiServer;
  /** The tokens of service accounts, which all of them verify. */
  readonly tokens: ServiceAccountTokens;

  constructor(sim: Simulation, { replicas, streamingLists, ...options }: ApiServersOptions) {
    const { tokenKey = sim.random.fork('service-account-key').uuid() } = options;
    this.tokens = new ServiceAccountTokens(tokenKey);
    const common = { ...options, tokenKey };
    const randoms = Array.from({ length: replicas }, (_, i) => sim.random.fork(`apiserver-${i}`));
    this.replicas = randoms.map((random, i) => {
      const clock = sim.clockFor(`apiserver-${i}`);
      const servesStreamingLists = streamingLists[i] ?? true;
      return new Replica(new ApiServer({ ...common, clock, random, servesStreamingLists }));
    });
    this.undisturbed = new ApiServer({ ...common, clock: sim.clock, random: randoms[0] as Random });
  }

  /** Returns a client without faults and latency for this user, who may do everything. */
  as(user: string): Client {
    return this.undisturbed.as(withEveryRight(user), user);
  }

  replica(index: number): Replica {
    const replica = this.replicas[index];
    if (!replica) throw new RangeError(`There is no apiserver ${index}; there are ${this.replicas.length}.`);
    return replica;
  }

  /**
   * Returns a function that returns the session of a user: at the replica of this index or the next one that is up, as
   * behind a load balancer.
   *
   * @param as - the user, also behind a token while nobody asks
   */
  sessions(as: User, { actor, replica, token, impersonates }: SessionsOptions): () => Client {
    const userAt: UserAt = token ? userByToken(token, as) : () => as;
    const credential = token ? 'bearer token' : 'connection';
    const opened: { user: User; session: Client }[] = [];
    const { length } = this.replicas;
    return () => {
      for (let i = 0; i < length; i++) {
        const index = (replica + i) % length;
        const { up, server } = this.replica(index);
        if (!up) continue;
        const user = userAt(server);
        const known = opened[index];
        if (known?.user === user) return known.session;
        const session = server.as(user, actor, { impersonates, credential });
        opened[index] = { user, session };
        return session;
      }
      throw new ConnectionError('ECONNREFUSED', 'dial tcp 10.96.0.1:443: connect: connection refused');
    };
  }
}

/** Options of the sessions of a process or a connection. */
interface SessionsOptions extends Pick<SessionOptions, 'impersonates'> {
  /** The name of the process or the connection. */
  readonly actor: string;
  /** The apiserver while that is up. */
  readonly replica: number;
  /** Returns its bearer token, which each request proves its user with. @defaultValue the connection proves the user */
  readonly token?: (() => string | undefined) | undefined;
}

/** Returns the user of a request to an apiserver. @throws StatusError Unauthorized */
type UserAt = (server: ApiServer) => User;

/**
 * Returns the user that a bearer token proves. Tokens expire, so each request is authenticated.
 *
 * @param otherwise - the user where nobody asks, or without a token
 */
function userByToken(token: () => string | undefined, otherwise: User): UserAt {
  let known: { readonly token: string; readonly user: User } | undefined;
  return ({ access }) => {
    const newest = token();
    if (!access || newest === undefined) return otherwise;
    const authentication = access.authenticate({ authorization: `Bearer ${newest}`, path: '' });
    if ('rejected' in authentication) throw new StatusError(failure('Unauthorized', 'Unauthorized'));
    if (known?.token !== newest) known = { token: newest, user: authentication.user };
    return known.user;
  };
}
