# Builds the package with its page, then runs it as an ordinary user. See docs/hosting.md.
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
RUN pip install --no-cache-dir --require-hashes --requirement build.lock \
    && pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
COPY run.lock /wheels/
RUN pip install --no-cache-dir --require-hashes --requirement /wheels/run.lock \
    && pip install --no-cache-dir --no-deps --no-index /wheels/*.whl && rm -r /wheels \
    && useradd --create-home --uid 10001 druid && install -d -o druid /data
USER druid
ENV DRUNEMETON_STORE=/data/tables.db PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8137
HEALTHCHECK CMD ["python", "-c", "import urllib.request as u; u.urlopen(u.Request('http://127.0.0.1:8137/api/health'))"]
ENTRYPOINT ["drunemeton", "serve", "--host", "0.0.0.0", "--no-browser"]
