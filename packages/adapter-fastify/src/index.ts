export { hydra, type HydraOptions } from './hydra.ts'
