"""Scenes as files of Universal Scene Description; needs the package usd-core."""
