export { hydra, type HydraMiddleware, type HydraOptions } from './hydra.ts'
