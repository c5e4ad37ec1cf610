/** The group of every user with valid credentials. Upstream: pkg/authentication/user/user.go AllAuthenticated */
export const AUTHENTICATED = 'system:authenticated';

/** The group of requests without credentials. Upstream: user.go AllUnauthenticated */
export const UNAUTHENTICATED = 'system:unauthenticated';

/**
 * The group that may do everything, whatever the roles say.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/user/user.go SystemPrivilegedGroup
 */
export const MASTERS = 'system:masters';
