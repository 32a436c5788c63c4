import { type Sample, sampleRoutes } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'

export const sampleQueries = {
  all: () =>
    queryOptions({
      queryKey: ['samples'],
      meta: { isPrivate: true },
      queryFn: async ({ signal }): Promise<Sample[]> => (await api(sampleRoutes.list, { signal })).data,
    }),
}

export const makeSamples = async (): Promise<Sample[]> => (await api(sampleRoutes.create)).data

/** @returns the samples that stay because they were changed */
export const removeSamples = async (): Promise<Sample[]> => (await api(sampleRoutes.remove)).data.kept
