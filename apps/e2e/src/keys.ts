/** The key that Claude Code is given: the upstream must never see it. */
export const CLIENT_KEY = 'sk-ant-e2e-canary-of-the-client'

/** The key that the proxy is given: the client must never see it. */
export const UPSTREAM_KEY = 'sk-e2e-canary-of-the-upstream'
